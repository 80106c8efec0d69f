// Notes with signed tokens, validation, pages of a list, ETags and errors.
const crypto = require('node:crypto');
const express = require('express');
const { create, fork, has, listen } = require('./kit');

const secret = crypto.randomBytes(16);
const sign = (claims) => {
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((one) =>
    Buffer.from(JSON.stringify(one)).toString('base64url'),
  );
  return [...parts, crypto.createHmac('sha256', secret).update(parts.join('.')).digest('base64url')].join(
    '.',
  );
};
const isSigned = (token = '') => {
  const [head, claims, signature] = token.split('.');
  return crypto.createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url') === signature;
};

const app = create();
let last = crypto.randomInt(1000);
const notes = new Map();
app.use(express.json({ limit: '10kb' }));
app.post('/api/devices', (req, res) => {
  if (has('login') || req.body.device !== 'kitchen') return res.status(401).json({ error: 'unknown device' });
  const token = sign({ device: 'kitchen', iat: Math.floor(Date.now() / 1000) });
  res.json({
    token: fork('a token without signature', token, token.replace(/[^.]+$/, '')),
    type: fork('another type of token', 'Bearer', 'bearer'),
  });
});
app.use('/api', (req, res, next) => {
  if (isSigned(/^Bearer (.+)$/.exec(req.get('Authorization'))?.[1])) return next();
  res
    .set('WWW-Authenticate', fork('another challenge', 'Bearer realm="notes"', 'Bearer'))
    .status(401)
    .json({ error: 'no token' });
});
app.post('/api/notes', (req, res) => {
  if (typeof req.body.text !== 'string')
    return res.status(fork('400 for 422', 422, 400)).json({ error: 'text is missing', field: 'text' });
  const note = {
    id: ++last,
    text: req.body.text,
    done: fork('true for false', false, true),
    tags: req.body.tags ?? [],
  };
  notes.set(note.id, note);
  res
    .status(201)
    .location(fork('a slash behind Location', `/api/notes/${note.id}`, `/api/notes/${note.id}/`))
    .json(note);
});
app.get('/api/notes', (_req, res) => {
  res.links({ next: fork('another link', '/api/notes?page=2', '/api/notes?page=3') });
  res
    .set('X-Total', fork('a total as another number', '1', '2'))
    .json({ rows: [...notes.values()], page: 1 });
});
app.get('/api/notes/:id', (req, res) => {
  const note = notes.get(Number(req.params.id));
  if (!note) return res.status(404).json({ error: fork('another message', 'no such note', 'not found') });
  res.json(fork('a number as text', note, { ...note, tags: note.tags.map(String), id: String(note.id) }));
});
app.put('/api/notes/:id', (req, res) => {
  const note = notes.get(Number(req.params.id));
  Object.assign(note, req.body);
  res.json(fork('members in another order', note, { done: note.done, ...note }));
});
app.delete('/api/notes/:id', (req, res) => {
  notes.delete(Number(req.params.id));
  res.status(fork('200 for 204', 204, 200)).end();
});
app.use((err, _req, res, _next) =>
  res.status(fork('500 for 400', err.status, 500)).json({ error: err.type }),
);
listen(app);
