// An application with a login by password, signed tokens, CSRF forms, uploads, compression, a rate limit, events and a
// WebSocket. Its responses contain ids, times, signatures and stack traces. It runs on Express 5 and 4.
const crypto = require('node:crypto');
const express = require('express');
const compression = require('compression');
const cookieParser = require('cookie-parser');
const Csrf = require('csrf');
const { rateLimit } = require('express-rate-limit');
const multer = require('multer');
const session = require('express-session');

const SECRET = 'used by the tests only';
const csrf = new Csrf();
const users = new Map([
  ['ada', { name: 'ada', salt: 'salt', hash: hashOf('lovelace', 'salt'), bio: 'first' }],
]);
const notes = new Map();
const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: 4000 } });

function hashOf(password, salt) {
  return crypto.scryptSync(password, salt, 16).toString('hex');
}

function isPassword(name, password) {
  const user = users.get(name);
  return user !== undefined && hashOf(String(password), user.salt) === user.hash;
}

/** Creates a JSON Web Token (HS256). */
function sign(claims) {
  const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...parts, crypto.createHmac('sha256', SECRET).update(parts.join('.')).digest('base64url')].join(
    '.',
  );
}

function verify(token = '') {
  const [head, claims, signature] = token.split('.');
  const expected = crypto.createHmac('sha256', SECRET).update(`${head}.${claims}`).digest('base64url');
  return signature === expected ? JSON.parse(Buffer.from(claims, 'base64url')) : undefined;
}

const app = express();
app.set('trust proxy', 'loopback');
app.set('json spaces', 1);
app.use((req, res, next) => {
  req.id = crypto.randomUUID();
  res.set('X-Request-Id', req.id);
  res.once('finish', () => console.log(`${req.method} ${req.originalUrl.split('?')[0]} ${res.statusCode}`));
  next();
});
app.use(compression());
app.use(cookieParser(SECRET));
app.use(session({ name: 'sid', secret: SECRET, resave: false, saveUninitialized: false }));
app.use(express.json({ limit: '20kb' }), express.urlencoded({ extended: true }));

app.get('/login', (req, res) => {
  req.session.csrf ??= csrf.secretSync();
  res.cookie('seen', Date.now(), { httpOnly: true, signed: true });
  const token = csrf.create(req.session.csrf);
  res.send(
    `<form method="post"><input name="_csrf" value="${token}"><input name="name"><input name="password"></form>`,
  );
});
app.post('/login', (req, res) => {
  const { name, password, _csrf } = req.body ?? {};
  if (!req.session.csrf || !csrf.verify(req.session.csrf, String(_csrf)))
    return res.status(403).json({ error: 'form expired' });
  if (!isPassword(name, password))
    return res.status(401).set('WWW-Authenticate', 'Form').json({ error: 'wrong password' });
  req.session.user = name;
  res.redirect(303, '/account');
});
app.get('/account', (req, res) => {
  if (!req.session.user) return res.redirect(`/login?next=${encodeURIComponent(req.originalUrl)}`);
  res.format({
    json: () =>
      res.json({ ...users.get(req.session.user), hash: undefined, salt: undefined, at: Date.now() }),
    html: () => res.send(`<h1>${req.session.user}</h1>`),
  });
});
app.post('/logout', (req, res, next) => {
  req.session.destroy((error) => (error ? next(error) : res.clearCookie('sid').sendStatus(204)));
});

const api = express.Router();
api.post('/token', (req, res) => {
  const { name, password } = req.body ?? {};
  if (!isPassword(name, password)) return res.status(401).json({ error: 'wrong password' });
  res.status(201).json({ token: sign({ sub: name, jti: crypto.randomUUID() }), expires: 3600 });
});
api.use((req, res, next) => {
  const [scheme, token] = (req.get('Authorization') ?? '').split(' ');
  req.claims = scheme === 'Bearer' ? verify(token) : undefined;
  if (!req.claims) return res.status(401).set('WWW-Authenticate', 'Bearer').json({ error: 'no token' });
  next();
});
api.get('/me', (req, res) => res.json({ name: req.claims.sub }));
api.post('/notes', (req, res) => {
  const note = { id: `n${crypto.randomInt(1e9)}`, text: req.body.text, created: new Date().toISOString() };
  notes.set(note.id, note);
  res.status(201).location(`/api/notes/${note.id}`).json(note);
});
api.param('note', (req, _res, next, id) => {
  req.note = notes.get(id);
  next(req.note ? undefined : Object.assign(new Error('no such note'), { status: 404 }));
});
api.get('/notes/:note', (req, res) => res.links({ all: '/api/notes' }).json(req.note));
api.put('/notes/:note', (req, res) => res.json(Object.assign(req.note, { text: req.body.text })));
api.delete('/notes/:note', (req, res) => {
  notes.delete(req.note.id);
  res.status(204).end();
});
api.get(
  '/limited',
  rateLimit({ windowMs: 60_000, limit: 2, standardHeaders: 'draft-8', legacyHeaders: true }),
  (_req, res) => res.jsonp({ ok: true }),
);
app.use('/api', api);

app.post('/upload', upload.array('files', 3), (req, res) => {
  const files = req.files.map(({ originalname, size, buffer }) => ({
    ...{ name: originalname, size },
    sha: crypto.createHash('sha1').update(buffer).digest('hex'),
  }));
  res.json({ receipt: crypto.randomBytes(8).toString('hex'), files, note: req.body.note });
});
app.get('/report', (_req, res) => {
  res.json(
    Array.from({ length: 2000 }, (_, row) => ({
      row,
      even: row % 2 === 0,
      up: row === 7 ? process.uptime() : 0,
    })),
  );
});
app.get('/events', (req, res) => {
  res.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache, no-transform' });
  let count = 0;
  const timer = setInterval(() => {
    res.write(`id: ${count}\ndata: ${JSON.stringify({ count, at: Date.now() })}\n\n`);
    res.flush?.();
    if (++count === 4 && req.query.finite) res.end();
  }, 30);
  res.on('close', () => clearInterval(timer));
});
app.get('/file', (_req, res) => res.sendFile('app.js', { root: __dirname, maxAge: '1h' }));
app.get('/download', (_req, res) => res.download(__filename, 'ä source.js'));
app.get('/random', (_req, res) => res.send(crypto.randomBytes(16)));
app.get('/xml', (_req, res) => res.type('xml').send('<a>1</a>'));
app.all('/echo', (req, res) => res.json({ query: req.query, ip: req.ip, xhr: req.xhr, method: req.method }));
app.get('/fails', (_req, _res, next) => next(new TypeError('it fails')));
app.use((error, req, res, next) => {
  if (req.path === '/fails' && process.env.ERROR_PAGE)
    return require('errorhandler')({ log: false })(error, req, res, next);
  if (req.path === '/fails') return next(error);
  const status = error.status ?? (error.code === 'LIMIT_FILE_SIZE' ? 413 : 500);
  res.status(status).json({ error: error.message, id: req.id, stack: error.stack.split('\n') });
});

const server = app.listen(process.env.PORT ?? 3000, () => console.log('listening'));
server.on('upgrade', (req, socket) => {
  const accept = crypto
    .createHash('sha1')
    .update(`${req.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept.digest('base64')}\r\n\r\n`,
  );
  socket.on('data', (frame) => socket.end(frame)).on('error', () => {});
});
