/** `validate` of `nozomi/extras`, with zod, valibot and arktype. The types are in spec/types/extras.spec-d.ts. */
import { createRequire } from 'node:module';
import { expect } from 'chai';
import framework from 'nozomi';
import framework4 from 'nozomi/4';
import { type StandardSchema, validate } from 'nozomi/extras';
import request from 'supertest';
import { z } from 'zod';

const load = createRequire(__filename);

/** The same schemas in each library: an id that becomes a number, and a name of at least two characters. */
const LIBRARIES: Readonly<Record<string, () => Record<'id' | 'name', StandardSchema>>> = {
  zod: () => ({
    id: z.object({ id: z.coerce.number().int() }),
    name: z.object({ name: z.string().min(2) }),
  }),
  valibot: () => {
    const v = load('valibot');
    const id = v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number));
    return { id: v.object({ id }), name: v.object({ name: v.pipe(v.string(), v.minLength(2)) }) };
  },
  arktype: () => {
    const { type } = load('arktype');
    return { id: type({ id: 'string.integer.parse' }), name: type({ name: 'string >= 2' }) };
  },
};

/** A schema that calls a function. */
function schemaOf(check: StandardSchema['~standard']['validate']): StandardSchema {
  return { '~standard': { version: 1, vendor: 'spec', validate: check } };
}

type Make = typeof framework;

/** Responds to errors with their members. */
const reported: framework.ErrorRequestHandler = (err, _req, res, _next) =>
  void res
    .status(err.status ?? 500)
    .json({ type: err.type, part: err.part, message: err.message, issues: err.issues });

for (const [library, schemas] of Object.entries(LIBRARIES))
  describe(`validate, with ${library}`, () => {
    for (const [name, make] of Object.entries({
      nozomi: framework,
      'nozomi/4': framework4 as unknown as Make,
    }))
      it(`${name}: replaces the parts by the output of their schemas, or passes an error`, async () => {
        const { id, name } = schemas();
        const app = make().set('env', 'test').use(make.json());
        app.post('/users/:id', validate({ params: id, query: id, body: name }), (req, res) => {
          res.json([req.params, req.query, req.body]);
        });
        app.use(reported);
        const good = await request(app).post('/users/7').query({ id: '8' }).send({ name: 'Ada' });
        expect(good.body).to.deep.equal([{ id: 7 }, { id: 8 }, { name: 'Ada' }]);
        for (const [part, path, query, body] of [
          ['params', '/users/x', { id: '8' }, { name: 'Ada' }],
          ['query', '/users/7', {}, { name: 'Ada' }],
          ['body', '/users/7', { id: '8' }, { name: 'A' }],
          ['body', '/users/7', { id: '8' }, undefined],
        ] as const) {
          const { status, body: error } = await request(app).post(path).query(query).send(body);
          expect([status, error.type, error.part]).to.deep.equal([400, 'validation.failed', part]);
          expect(error.message).to.match(new RegExp(`^Invalid ${part}(\\.\\w+)?: .`));
          expect(error.issues).to.be.an('array').that.is.not.empty;
        }
      });

    it('sends the output of the schema of the response, and 500 for a value that does not match', async () => {
      const app = framework().set('env', 'test').use(framework.json());
      app.post('/', validate({ response: schemas().name }), (req, res) => void res.json(req.body));
      app.use(reported);
      expect((await request(app).post('/').send({ name: 'Ada' })).body).to.deep.equal({ name: 'Ada' });
      const { status, body } = await request(app).post('/').send({ name: 'A' });
      expect([status, body.type, body.part]).to.deep.equal([500, 'validation.failed', 'response']);
    });
  });

describe('validate', () => {
  const serve = (schemas: Parameters<typeof validate>[0], respond: framework.RequestHandler) => {
    const app = framework().set('env', 'test').use(framework.json());
    return app.all('/:id', validate(schemas), respond).use(reported);
  };

  it('throws at registration for a value that is not a schema', () => {
    for (const body of [null, 1, {}, { '~standard': {} }, () => true])
      expect(() => validate({ body: body as never })).to.throw(
        TypeError,
        'validate: body must be a Standard Schema',
      );
  });

  it('waits for schemas that are asynchronous, and passes on what they throw', async () => {
    const later = schemaOf(async (value) => ({ value: { was: value } }));
    expect(
      (await request(serve({ query: later }, (req, res) => void res.json(req.query))).get('/1?a=b')).body,
    ).to.deep.equal({
      was: { a: 'b' },
    });
    const failing = schemaOf(async () => {
      throw new Error('wrong');
    });
    const { status, body } = await request(serve({ query: failing }, (_req, res) => void res.end())).get(
      '/1',
    );
    expect([status, body.message]).to.deep.equal([500, 'wrong']);
  });

  it('does not check the body of an error, and sends it only once', async () => {
    const never = schemaOf(() => ({ issues: [{ message: 'no' }] }));
    const app = serve({ response: never }, (req, res) => {
      if (req.params.id === 'missing') res.status(404).json({ missing: true });
      else res.json({}).json({});
    });
    expect((await request(app).get('/missing')).body).to.deep.equal({ missing: true });
    expect((await request(app).get('/other')).status).to.equal(500);
  });

  it('refuses an asynchronous schema of a response', async () => {
    const later = schemaOf(async (value) => ({ value }));
    const { status, body } = await request(serve({ response: later }, (_req, res) => void res.json({}))).get(
      '/1',
    );
    expect([status, body.message]).to.deep.equal([500, 'validate: response must validate synchronously']);
  });

  it('removes from the response what the schema does not have', async () => {
    const app = serve({ response: z.object({ name: z.string() }) }, (_req, res) => {
      res.send({ name: 'Ada', password: 'secret' });
    });
    expect((await request(app).get('/1')).body).to.deep.equal({ name: 'Ada' });
  });

  it('changes no prototype, whatever the client sends', async () => {
    const loose = z.looseObject({});
    const app = serve(
      { params: loose, query: loose, body: loose },
      (req, res) => void res.json(Object.keys(req.query)),
    );
    const polluting = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    await request(app)
      .post('/__proto__?__proto__[polluted]=1&__proto__=1&constructor.prototype.polluted=1')
      .set('Content-Type', 'application/json')
      .send(polluting);
    expect({}).to.not.have.property('polluted');
    expect(framework.request).to.not.have.property('polluted');
  });

  it('leaves the query of the next request on the connection alone', async () => {
    const app = serve({ query: z.object({}) }, (req, res) => void res.json(req.query));
    app.get('/plain/query', (req, res) => void res.json(req.query));
    expect((await request(app).get('/1?a=b')).body).to.deep.equal({});
    expect((await request(app).get('/plain/query?a=b')).body).to.deep.equal({ a: 'b' });
  });
});
