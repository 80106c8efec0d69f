// An application whose routes have schemas, for spec/parity/openapi.spec.ts.
const express = require('express');
const { validate } = require('nozomi/extras');
const { z } = require('zod');

const app = express();
app.use(express.json());
const users = express.Router();
const id = z.object({ id: z.coerce.number().int() });
const user = z.object({ name: z.string().min(2) });
users.get('/', validate({ query: z.object({ page: z.coerce.number().optional() }) }), (_req, res) =>
  res.json([]),
);
users.post('/', validate({ body: user, response: id }), (_req, res) => res.status(201).json({ id: 7 }));
users.get('/:id', validate({ params: id, response: user }), (_req, res) => res.json({ name: 'Ada' }));
app.use('/users', users);
app.get('/files/*path', (_req, res) => res.end());
app.get('/optional{/:part}', (_req, res) => res.end());
app.get(/^\/re/, (_req, res) => res.end());
app.all('/any', (_req, res) => res.end());
const vague = { '~standard': { version: 1, vendor: 'spec', validate: (value) => ({ value }) } };
app.put('/vague', validate({ body: vague }), (_req, res) => res.end());
// Refers to itself, which a document must name.
const tree = z.object({
  get next() {
    return tree.optional();
  },
});
app.post('/trees', validate({ body: tree }), (_req, res) => res.end());
app.listen(3000);
