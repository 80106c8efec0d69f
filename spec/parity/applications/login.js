// An application whose requests repeat values of earlier responses: a session, a CSRF token, a signed token, ids, an
// ETag. Each process has its own, so requests with those of another process are refused.
const { createHmac, randomBytes, randomInt, randomUUID } = require('node:crypto');
const express = require('express');

const PASSWORD = 'correct horse';
const secret = randomBytes(16);
const sessions = new Map();
const notes = new Map();
let nextOrder = randomInt(1000);
const orders = new Set();
const sign = (name) => `${name}.${createHmac('sha256', secret).update(name).digest('base64url')}`;

const app = express();
app.use(express.json(), express.urlencoded());
app.get('/login', (_req, res) => {
  const id = randomUUID();
  const csrf = randomBytes(12).toString('hex');
  sessions.set(id, { csrf });
  res.cookie('sid', id, { httpOnly: true });
  res.send(
    `<form method="post"><input type="hidden" name="_csrf" value="${csrf}"><input name="password"></form>`,
  );
});
app.post('/login', (req, res) => {
  const session = sessions.get(/sid=([^;]*)/.exec(req.get('Cookie'))?.[1]);
  if (!session || session.csrf !== req.body._csrf) return res.sendStatus(403);
  if (req.body.password !== PASSWORD) return res.sendStatus(401);
  session.name = req.body.email;
  res.redirect(303, '/me');
});
app.get('/me', (req, res) => {
  const session = sessions.get(/sid=([^;]*)/.exec(req.get('Cookie'))?.[1]);
  return session?.name ? res.json({ name: session.name.length }) : res.redirect('/login');
});
app.post('/token', (req, res) => {
  if (req.body.user?.password !== PASSWORD) return res.sendStatus(401);
  res.json({ token: sign(req.body.user.name) });
});
app.use('/api', (req, res, next) => {
  const [, token = ''] = /^Bearer (.+)$/.exec(req.get('Authorization')) ?? [];
  return token === sign(token.split('.')[0]) ? next() : res.sendStatus(401);
});
app.post('/api/notes', (req, res) => {
  const id = randomUUID();
  notes.set(id, req.body.text);
  res.status(201).location(`/api/notes/${id}`).json({ created: true });
});
app.get('/api/notes/:id', (req, res) => {
  if (!notes.has(req.params.id)) return res.sendStatus(404);
  res.set('ETag', `"${req.params.id.slice(0, 8)}"`).send(notes.get(req.params.id));
});
app.post('/api/orders', (_req, res) => {
  orders.add(++nextOrder);
  res.json({ id: nextOrder, total: 2 });
});
app.post('/api/payments', (req, res) =>
  res.status(orders.has(req.body.order) ? 200 : 404).json({ paid: true }),
);
app.get('/api/orders', (req, res) => res.sendStatus(orders.has(Number(req.query.id)) ? 200 : 404));

if (require.main === module) {
  const server = app.listen(0, () => console.error(`port ${server.address().port}`));
} else module.exports = app;
