/** `nozomi/openapi`, with zod, valibot and arktype, in applications of Express 5 and 4. */

import { toJsonSchema, toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { expect } from 'chai';
import framework from 'nozomi';
import framework4 from 'nozomi/4';
import { type StandardSchema, validate } from 'nozomi/extras';
import { describeRoute, type OpenApiOptions, type Operation, openapi, toOpenApi } from 'nozomi/openapi';
import request from 'supertest';
import * as v from 'valibot';
import { z } from 'zod';

const end: framework.RequestHandler = (_req, res) => void res.end();

/** Adds routes to an application, and asks it for its document. */
async function documentOf(add: (app: framework.Application) => void, options: OpenApiOptions = {}) {
  const app = framework();
  app.use(openapi(options));
  add(app);
  const { body } = await request(app).get('/openapi.json').expect(200);
  return body;
}

/** Gives an application one route, and returns its operation. */
async function operationOf(
  handlers: readonly framework.RequestHandler[],
  options?: OpenApiOptions,
): Promise<Operation> {
  const { paths } = await documentOf((app) => app.post('/it', ...handlers), options);
  return paths['/it'].post;
}

const contentOf = (schema: object) => ({ 'application/json': { schema } });

describe('nozomi/openapi: openapi', () => {
  it('serves the document for GET and HEAD, and passes everything else on', async () => {
    const app = framework();
    app.use(openapi());
    app.post('/openapi.json', (_req, res) => void res.send('mine'));

    const { body, headers } = await request(app).get('/openapi.json').expect(200);
    await request(app).head('/openapi.json').expect(200).expect('Content-Type', /json/);
    await request(app).get('/openapi.json').set('If-None-Match', String(headers.etag)).expect(304);
    await request(app).post('/openapi.json').expect('mine');
    await request(app).get('/openapi.json/x').expect(404);
    expect(body).to.deep.include({ openapi: '3.1.1', info: { title: 'API', version: '1.0.0' } });
  });

  it('serves it elsewhere, by the option path and below a mount path', async () => {
    const app = framework();
    app.use('/docs', openapi({ path: '/v1.json' }));

    await request(app).get('/docs/v1.json').expect(200);
    await request(app).get('/openapi.json').expect(404);
    expect(() => openapi({ path: 'v1.json' })).to.throw(TypeError, 'openapi: path must begin with a slash');
  });

  it('describes routes that the application adds later', async () => {
    const app = framework();
    app.use(openapi());
    await request(app).get('/openapi.json').expect(200);
    app.get('/later', end);

    const { body } = await request(app).get('/openapi.json');
    expect(body.paths).to.have.all.keys('/later');
  });

  it('describes a handler that the application adds later to a route', async () => {
    const app = framework();
    app.use(openapi());
    const route = app.route('/it').get(end);
    await request(app).get('/openapi.json').expect(200);
    route.post(end);

    const { body } = await request(app).get('/openapi.json');
    expect(body.paths['/it']).to.have.all.keys('get', 'post');
  });

  it('describes the routes of mounted routers and applications', async () => {
    const { paths } = await documentOf((app) => {
      const [outer, inner, mounted] = [framework.Router(), framework.Router(), framework()];
      inner.get('/', end).get('/:id', end);
      outer.use(['/users', '/people'], inner);
      outer.use(outer);
      mounted.get('/', end).delete('/all', end);
      app.use('/api', outer);
      app.use('/admin', mounted);
      app.get('/', end);
    });

    expect(Object.keys(paths)).to.deep.equal([
      '/api/users',
      '/api/users/{id}',
      '/api/people',
      '/api/people/{id}',
      '/admin',
      '/admin/all',
      '/',
    ]);
  });

  it('describes only the routes of the application that uses it, with its mount path as the server', async () => {
    const [app, api] = [framework(), framework()];
    api.use(openapi());
    api.get('/users', end);
    app.use('/api', api);
    app.get('/other', end);

    const { body } = await request(app).get('/api/openapi.json').expect(200);
    expect(body.servers).to.deep.equal([{ url: '/api' }]);
    expect(body.paths).to.have.all.keys('/users');
  });

  it('describes optional parts twice, paths of the same shape once, and app.all() by the usual methods', async () => {
    const { paths } = await documentOf((app) => {
      app.get('/optional{/:part}', end);
      app.get('/files/*path', end);
      app.get('/users/:id', end).delete('/users/:name', end).get('/users/:again', end);
      app.all('/any', end);
      app.get(/re/, end);
      app.use(/mount/, framework.Router().get('/x', end));
    });

    expect(Object.entries(paths).map(([path, item]) => [path, Object.keys(Object(item))])).to.deep.equal([
      ['/optional', ['get']],
      ['/optional/{part}', ['get']],
      ['/files/{path}', ['get']],
      ['/users/{id}', ['get', 'delete']],
      ['/any', ['get', 'put', 'post', 'delete', 'patch']],
    ]);
    expect(paths['/users/{id}'].delete.parameters[0]).to.include({ name: 'id', in: 'path', required: true });
  });

  it('describes paths of Express 4 with optional parameters and regular expressions', async () => {
    const app = framework4();
    app.use(openapi());
    const router = framework4.Router();
    router.get('/:id(\\d+)/:part?', (_req, res) => void res.end());
    app.use('/users', router);
    app.get('/a*b', (_req, res) => void res.end());

    const { body } = await request(app).get('/openapi.json').expect(200);
    expect(Object.keys(body.paths)).to.deep.equal(['/users/{id}', '/users/{id}/{part}']);
    expect(body.paths['/users/{id}'].get.parameters).to.deep.equal([
      { name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^(?:\\d+)$' } },
    ]);
  });

  it('names operations by their handlers if these names are unique, otherwise by method and path', async () => {
    const { paths } = await documentOf((app) => {
      app.get('/users', function listUsers(_req, res) {
        res.end();
      });
      app.get('/users/:id', end).get('/', end).get('/a-b', end).get('/a/b', end);
    });
    const ids = Object.values<Record<string, Operation>>(paths).map(({ get }) => get?.operationId);

    expect(ids).to.deep.equal(['listUsers', 'getUsersById', 'getRoot', 'getAB', 'getAB2']);
  });

  it('takes tags, security and components from the options', async () => {
    const given = {
      tags: [{ name: 'users' }],
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
      servers: [{ url: 'https://api.test' }],
    };

    expect(await documentOf(() => undefined, given)).to.deep.include(given);
  });

  it('describes every error response by the option error', async () => {
    const error = z.object({ error: z.string() });
    const described = describeRoute({ responses: { 404: { description: 'No such user' } } });
    const { components, paths } = await documentOf(
      (app) => app.post('/it', described, validate({ body: z.object({}) }), end),
      { error },
    );
    const { responses } = paths['/it'].post;

    expect(components.schemas.Error.properties).to.deep.equal({ error: { type: 'string' } });
    for (const status of ['400', '404', 'default'])
      expect(responses[status].content, status).to.deep.equal(
        contentOf({ $ref: '#/components/schemas/Error' }),
      );
  });
});

describe('nozomi/openapi: schemas', () => {
  const LIBRARIES: Readonly<Record<string, () => [StandardSchema, OpenApiOptions?]>> = {
    zod: () => [z.object({ name: z.string().min(2), age: z.coerce.number().optional() })],
    'valibot with toStandardJsonSchema': () => [
      toStandardJsonSchema(
        v.object({ name: v.pipe(v.string(), v.minLength(2)), age: v.optional(v.number()) }),
      ),
    ],
    'valibot with toJsonSchema': () => [
      v.object({ name: v.pipe(v.string(), v.minLength(2)), age: v.optional(v.number()) }),
      { toJsonSchema: (schema, direction) => toJsonSchema(schema as never, { typeMode: direction }) },
    ],
    arktype: () => [type({ name: 'string >= 2', 'age?': 'number' })],
  };

  for (const [library, make] of Object.entries(LIBRARIES))
    it(`${library}: describes bodies, parameters of the query and responses`, async () => {
      const [schema, options] = make();
      const { requestBody, parameters, responses } = await operationOf(
        [validate({ query: schema, body: schema, response: schema }), end],
        options,
      );

      for (const { content } of [requestBody, responses['2XX']].map(Object))
        expect(content['application/json'].schema).to.deep.include({
          required: ['name'],
          properties: { name: { type: 'string', minLength: 2 }, age: { type: 'number' } },
        });
      const byName = [...parameters].sort((one, other) => (one.name < other.name ? -1 : 1));
      expect(byName).to.deep.equal([
        { name: 'age', in: 'query', required: false, schema: { type: 'number' } },
        { name: 'name', in: 'query', required: true, schema: { type: 'string', minLength: 2 } },
      ]);
    });

  it('puts named schemas and those that refer to themselves under components', async () => {
    const User = z.object({ name: z.string() }).meta({ id: 'User' });
    const tree = z.object({
      user: User,
      get children() {
        return z.array(tree);
      },
    });
    const { components, paths } = await documentOf((app) => {
      app.post('/trees', validate({ body: tree }), function addTree(_req, res) {
        res.end();
      });
      app.post('/users', validate({ body: User, response: User }), end);
    });
    const reference = { $ref: '#/components/schemas/User' };

    expect(paths['/users'].post.requestBody.content).to.deep.equal(contentOf(reference));
    expect(paths['/trees'].post.requestBody.content).to.deep.equal(
      contentOf({ $ref: '#/components/schemas/addTree_body' }),
    );
    expect(components.schemas).to.have.all.keys('User', 'addTree_body');
    expect(components.schemas.addTree_body.properties).to.deep.equal({
      user: reference,
      children: { type: 'array', items: { $ref: '#/components/schemas/addTree_body' } },
    });
  });

  it('keeps two schemas of the same name apart', async () => {
    const make = (shape: z.ZodRawShape) => z.object({ inner: z.object(shape).meta({ id: `Same` }) });
    const [one, other] = [{ a: z.string() }, { b: z.number() }].map((shape) => {
      const schema = make(shape);
      z.globalRegistry.clear();
      return { schema, json: z.toJSONSchema(z.object(shape)) };
    });
    const named = (json: object) => ({
      type: 'object',
      properties: { inner: { $ref: '#/$defs/Same' } },
      $defs: { Same: json },
    });
    const withJson = (json: object): StandardSchema => ({
      '~standard': {
        version: 1,
        vendor: 'spec',
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input: () => named(json), output: () => named(json) },
      } as StandardSchema['~standard'],
    });
    const { components } = await documentOf((app) => {
      app.post('/one', validate({ body: withJson(Object(one).json) }), end);
      app.post('/again', validate({ body: withJson(Object(one).json) }), end);
      app.post('/other', validate({ body: withJson(Object(other).json) }), end);
    });

    expect(components.schemas).to.have.all.keys('Same', 'Same_input');
  });

  it('keeps the other members of a schema with one that JSON Schema cannot represent', async () => {
    const schema = z.object({ at: z.date(), name: z.string() });
    const { requestBody } = await operationOf([validate({ body: schema }), end]);

    expect(requestBody?.content['application/json'].schema.properties).to.deep.equal({
      at: {},
      name: { type: 'string' },
    });
  });

  it('leaves out a schema that nothing converts, and says so', () => {
    const app = framework();
    app.post('/it', validate({ body: v.object({}) }), end);
    const { document, notes } = toOpenApi(app);

    expect(document.paths['/it']?.post).to.not.have.property('requestBody');
    expect(notes).to.deep.equal([
      'POST /it: body: the schema of valibot has no Standard JSON Schema: pass toJsonSchema',
    ]);
  });
});

describe('nozomi/openapi: describeRoute', () => {
  it('describes one route', async () => {
    const fields = {
      operationId: 'doIt',
      summary: 'Does it',
      description: 'With care.',
      tags: ['it'],
      deprecated: true,
      security: [{ key: ['write'] }],
      'x-own': { nested: [1] },
    };
    const { responses, ...operation } = await operationOf([
      describeRoute({
        ...fields,
        responses: { 201: { description: 'Done', schema: z.object({ id: z.int32() }) } },
      }),
      end,
    ]);

    expect(operation).to.deep.equal({ ...fields, parameters: [] });
    expect(responses).to.have.all.keys('201', 'default');
    expect(responses[201]?.content?.['application/json'].schema.required).to.deep.equal(['id']);
  });

  it('describes the later routes of a router, which add to it', async () => {
    const { paths } = await documentOf((app) => {
      const router = framework.Router();
      router.get('/before', end);
      router.use(describeRoute({ tags: ['all'], deprecated: true }));
      router.get('/after', describeRoute({ tags: ['one'], deprecated: false }), end);
      app.use(router);
      app.get('/outside', end);
    });

    expect(paths['/before'].get).to.not.have.property('tags');
    expect(paths['/after'].get).to.deep.include({ tags: ['all', 'one'], deprecated: false });
    expect(paths['/outside'].get).to.not.have.property('tags');
  });

  it('hides a route', async () => {
    const { paths } = await documentOf((app) => app.get('/hidden', describeRoute({ hide: true }), end));

    expect(paths).to.deep.equal({});
  });
});

describe('nozomi/openapi: comments of handlers', () => {
  /**
   * Before a named function.
   *
   * With a second
   * paragraph.
   *
   * @tags one, two
   * @operationId byComment
   * @param {string} id.path - What to find.
   * @returns {object} 404 - Not found
   * @security key
   * @deprecated
   */
  function commented(_req: framework.Request, res: framework.Response): void {
    res.end();
  }
  /** Makes handlers. */
  const make = (): framework.RequestHandler => (_req, res) => void res.end();
  const app = framework();
  app.get('/named/:id', commented);
  /** Before a statement. */
  app.get('/inline', (_req, res) => void res.end());
  /** Before a statement without a function. */
  app.set('title', 'Office');
  app.get('/after', (_req, res) => void res.end());
  app.get('/without', (_req, res) => void res.end());
  app
    .route('/chained')
    /** Before a method of a chain. */
    .get((_req, res) => void res.end())
    .post((_req, res) => void res.end());
  /** Behind other handlers. */
  app.get('/behind', validate({ query: z.object({}) }), end, async (_req, res) => void res.end());
  app.get('/made', make());
  const object = {
    /** A method. */
    method(_req: framework.Request, res: framework.Response): void {
      res.end();
    },
  };
  app.get('/object', object.method);
  const summaries = (jsdoc: boolean) =>
    Object.values(toOpenApi(app, { jsdoc }).document.paths).flatMap((item) =>
      Object.values(item).map(({ summary }) => summary),
    );

  it('reads the comment before a function, or before the statement that contains it', () => {
    expect(summaries(true)).to.deep.equal([
      'Before a named function',
      'Before a statement',
      'GET /after',
      'GET /without',
      'Before a method of a chain',
      'POST /chained',
      'Behind other handlers',
      'GET /made',
      'A method',
    ]);
  });

  it('reads the tags of a comment', () => {
    expect(toOpenApi(app, { jsdoc: true }).document.paths['/named/{id}']?.get).to.deep.equal({
      operationId: 'byComment',
      summary: 'Before a named function',
      description: 'With a second paragraph.',
      tags: ['one', 'two'],
      security: [{ key: [] }],
      deprecated: true,
      parameters: [
        { name: 'id', in: 'path', required: true, description: 'What to find.', schema: { type: 'string' } },
      ],
      responses: { 404: { description: 'Not found' }, default: { description: 'Any other response' } },
    });
  });

  it('reads no file if the option is false, and leaves nothing behind if it is true', () => {
    expect(summaries(false)).to.not.include('Before a statement');
    const before = Reflect.ownKeys(globalThis);
    summaries(true);
    expect(Reflect.ownKeys(globalThis)).to.deep.equal(before);
  });
});
