// The example of docs/openapi.md: an API that describes itself at /openapi.json, and shows that at /docs.
const nozomi = require('nozomi');
const { validate } = require('nozomi/extras');
const { describeRoute, openapi } = require('nozomi/openapi');
const { z } = require('zod');

const User = z.object({ id: z.int(), name: z.string().min(2) }).meta({ id: 'User' });
const id = z.object({ id: z.coerce.number().int() });
const all = [{ id: 1, name: 'Ada' }];

const users = nozomi.Router();
users.use(describeRoute({ tags: ['users'] }));

/**
 * Lists the users.
 *
 * @operationId listUsers
 */
users.get('/', validate({ response: z.array(User) }), (_req, res) => res.json(all));

/**
 * Finds a user.
 *
 * @param {number} id - The number of the user.
 * @returns 404 - No user has this number.
 */
function getUser(req, res) {
  const found = all.find((user) => user.id === req.params.id);
  if (found) res.json(found);
  else res.status(404).json({ error: 'no such user' });
}
users.get('/:id', validate({ params: id, response: User }), getUser);

/** Adds a user. */
users.post(
  '/',
  describeRoute({ security: [{ bearer: [] }], responses: { 201: { description: 'Added', schema: User } } }),
  nozomi.json(),
  validate({ body: User.omit({ id: true }) }),
  function addUser(req, res) {
    const user = { id: all.length + 1, ...req.body };
    all.push(user);
    res.status(201).json(user);
  },
);

const app = nozomi();
app.use(
  openapi({
    info: { title: 'Users', version: '1.0.0' },
    tags: [{ name: 'users', description: 'The people who may log in' }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    error: z.object({ error: z.string() }),
    jsdoc: true,
  }),
);
app.use('/users', users);
app.use((err, _req, res, _next) => res.status(err.status ?? 500).json({ error: err.message }));

app.listen(process.env.PORT ?? 3000);
