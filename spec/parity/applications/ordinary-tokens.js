// Tokens under ordinary names, in a page and in GraphQL. Each is needed by a later request.
const express = require('express'),
  { randomUUID, randomBytes } = require('node:crypto');
const app = express(),
  live = new Set(),
  open = new Set();
const made = () => {
  const token = randomUUID();
  live.add(token);
  return token;
};
app.use(express.json(), express.urlencoded({ extended: false }));
app.post('/login', (_req, res) => res.json({ login: made() }));
app.post('/login-text', (_req, res) => res.type('text').send(made()));
app.post('/graphql', (_req, res) => res.json({ data: { signIn: { result: made() } } }));
app.get('/page/:n', (_req, res) => {
  const t = randomBytes(16).toString('hex');
  open.add(t);
  res.send(`<input name="_csrf" value="${t}">`);
});
app.post('/save', (req, res) => res.sendStatus(open.delete(req.body._csrf) ? 204 : 403));
app.get('/me', (req, res) => res.sendStatus(live.has((req.get('authorization') || '').slice(7)) ? 200 : 401));
const server = app.listen(process.env.PORT || 0, () => console.error(`port ${server.address().port}`));
