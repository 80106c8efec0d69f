// An application with every kind of schema and route, for spec/2-resources/2.6-openapi-tools.spec.ts. Runs in a folder with the packages.
const { join } = require('node:path');
const { createRequire } = require('node:module');
const { toStandardJsonSchema } = require('@valibot/to-json-schema');
const { type } = require('arktype');
const nozomi = require('nozomi');
const { validate } = require('nozomi/extras');
const { describeRoute, openapi } = require('nozomi/openapi');
const v = require('valibot');
const { z } = require('zod');

const load = createRequire(join(process.argv[2], 'package.json'));
const app = nozomi();
app.use(
  openapi({
    info: { title: 'Every kind', version: '2.0.0', license: { name: 'MIT', identifier: 'MIT' } },
    tags: [{ name: 'zod', description: 'Routes with schemas of zod' }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    security: [{ bearer: [] }],
    error: z.object({ error: z.string() }),
    jsdoc: true,
  }),
);
const end = (_req, res) => res.end();

const User = z.object({ id: z.int(), name: z.string(), born: z.date().optional() }).meta({ id: 'User' });
const Tree = z.object({
  user: User,
  get children() {
    return z.array(Tree);
  },
});
const users = nozomi.Router();
users.use(describeRoute({ tags: ['zod'] }));
/**
 * Lists the users.
 *
 * In the order of their numbers.
 *
 * @param page - Which part.
 * @returns 404 - No such page
 */
users.get(
  '/',
  validate({ query: z.object({ page: z.coerce.number().default(1) }), response: z.array(User) }),
  (_req, res) => res.json([]),
);
users.post('/', validate({ body: User.omit({ id: true }), response: User }), end);
users.get('/:id', validate({ params: z.object({ id: z.coerce.number() }) }), end);
users.delete('/:name', describeRoute({ security: [], deprecated: true }), end);
users.put('/:id/tree', validate({ body: Tree, response: Tree }), end);
app.use('/users', users);

const named = toStandardJsonSchema(v.object({ name: v.pipe(v.string(), v.minLength(2)) }));
app.put('/valibot/:id', validate({ body: named, response: named }), end);
app.patch('/arktype{/:id}', validate({ body: type({ name: 'string >= 2', 'age?': 'number | null' }) }), end);
app.all('/any/*rest', end);
app.get(/regexp/, end);
app.get('/hidden', describeRoute({ hide: true }), end);

const swaggerUi = load('swagger-ui-express');
app.use('/docs', swaggerUi.serve, swaggerUi.setup(null, { swaggerUrl: '/openapi.json' }));
app.use('/assets', nozomi.static(join(process.argv[2], 'node_modules/@scalar/api-reference/dist/browser')));
import(load.resolve('@scalar/express-api-reference')).then(({ apiReference }) => {
  app.use('/reference', apiReference({ url: '/openapi.json', cdn: '/assets/standalone.js' }));
  app.listen(process.env.PORT);
});
