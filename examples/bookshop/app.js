// A typical bookshop: sessions, uploads, compression, rate limits, streams, static pages and a JSON API. Its
// responses contain ids, times and stack traces, which `nozomi-parity app.js --requests traffic.http` can compare.
//
//   npm run build && cd examples/bookshop && node ../../dist/parity/command/bin.js parity app.js --har traffic.har
const { randomUUID } = require('node:crypto');
const { join } = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');
const compression = require('compression');
const express = require('express');
const { rateLimit } = require('express-rate-limit');
const session = require('express-session');
const morgan = require('morgan');
const multer = require('multer');

const app = express();
const started = Math.floor(Date.now() / 1000);
const books = [
  { id: 1, title: 'The Left Hand of Darkness', price: 12.5, stock: 3 },
  { id: 2, title: 'Invisible Cities', price: 9.9, stock: 0 },
  { id: 3, title: 'Momo', price: 11, stock: 7 },
];
const orders = new Map();
const upload = multer({ limits: { fileSize: 2000, files: 2 } });

app.set('trust proxy', 'loopback');
app.use(morgan(':method :url :status :res[content-length] - :response-time ms'));
app.use(compression());
app.use(rateLimit({ windowMs: 60_000, limit: 200, standardHeaders: 'draft-8', legacyHeaders: true }));
app.use(express.static(join(__dirname, 'public'), { maxAge: '1h' }));
app.use(express.json({ limit: '10kb' }), express.urlencoded());
app.use(session({ secret: 'a bookshop', resave: false, saveUninitialized: false }));

app.param('book', (req, _res, next, id) => {
  req.book = books.find((book) => String(book.id) === id);
  next(req.book ? undefined : Object.assign(new Error(`no book ${id}`), { status: 404 }));
});

// The JSON API of the shop. Errors below /api are JSON, too.
app.get('/api/books', (req, res) => {
  const { max = Number.POSITIVE_INFINITY, fields } = req.query;
  const found = books.filter(({ price }) => price <= Number(max));
  res.json(fields ? found.map((book) => ({ [fields]: book[fields] })) : found);
});
app.get('/api/books/:book', (req, res) => res.json(req.book));
app.get('/api/books/:book/cover', (req, res) => res.redirect(`/covers/${req.book.id}.svg`));
app.post('/api/orders', (req, res) => {
  const { book, copies = 1 } = req.body ?? {};
  const expected = books.find(({ id }) => id === book);
  if (!expected) return res.status(422).json({ error: 'unknown book', errorId: randomUUID() });
  const order = {
    id: randomUUID(),
    book,
    copies,
    total: expected.price * copies,
    at: Math.floor(Date.now() / 1000),
  };
  orders.set(order.id, order);
  req.session.orders = [...(req.session.orders ?? []), order.id];
  console.log(`order ${order.id} of ${JSON.stringify(order).length} bytes`);
  res.status(201).location(`/api/orders/${order.id}`).json(order);
});
app.get('/api/orders', (req, res) => res.json((req.session.orders ?? []).map((id) => orders.get(id))));
app.delete('/api/orders', (req, res) => {
  for (const id of req.session.orders ?? []) orders.delete(id);
  req.session.orders = [];
  res.sendStatus(204);
});
app.get('/api/status', (_req, res) => {
  const now = Math.floor(Date.now() / 1000);
  res
    .set('Cache-Control', 'no-store')
    .json({ up: now - started, now, memory: process.memoryUsage().heapUsed, orders: orders.size });
});

// Sessions: log in and see the account.
app.post('/login', (req, res) => {
  req.session.regenerate(() => {
    req.session.name = req.body.name;
    res.cookie('seen', 'yes', { maxAge: 60_000, sameSite: 'lax' }).redirect(303, '/me');
  });
});
app.get('/me', (req, res) => {
  if (!req.session.name) return res.status(401).type('text').send('Please log in');
  req.session.visits = (req.session.visits ?? 0) + 1;
  res.format({
    html: () =>
      res.send(`<h1>Hello ${req.session.name}</h1><p>Visit ${req.session.visits} from ${req.ip}</p>`),
    json: () => res.json({ name: req.session.name, visits: req.session.visits }),
  });
});

// Uploads: multer keeps the files in memory.
app.post('/covers', upload.array('cover'), (req, res) => {
  const files = req.files.map(({ originalname, mimetype, size }) => ({ originalname, mimetype, size }));
  res.status(201).json({ id: randomUUID(), files, note: req.body.note });
});

// Streams: server-sent events that never end, and JSON lines that end. Also a page long enough to be compressed.
app.get('/events', (_req, res) => {
  res.type('text/event-stream').set('Cache-Control', 'no-cache');
  let count = 0;
  const timer = setInterval(() => {
    res.write(`id: ${++count}\ndata: ${JSON.stringify({ stock: books.map(({ stock }) => stock) })}\n\n`);
    res.flush();
  }, 40);
  res.on('close', () => clearInterval(timer));
});
app.get('/export', async (_req, res) => {
  res.type('application/x-ndjson').attachment('books.ndjson');
  for (let turn = 0; turn < 60; turn++) {
    res.write(`${JSON.stringify({ turn, ...books[turn % books.length] })}\n`);
    if (turn % 20 === 0) res.flush();
    if (turn % 30 === 0) await pause(5);
  }
  res.end();
});
app.get('/catalogue', (_req, res) => {
  const rows = Array.from(
    { length: 80 },
    (_, row) => `<tr><td>${row}</td><td>${books[row % 3].title}</td></tr>`,
  );
  res.send(
    `<!doctype html><title>Catalogue</title><table>${rows.join('\n')}</table><p>Request ${randomUUID()}</p>`,
  );
});

// Errors: an HTML page with a stack, a JSON response, and an exception after the response that no handler catches.
app.get('/broken', () => {
  throw new Error(`the shop is broken: ${'a long story, '.repeat(Number(process.env.STORY ?? 8))}the end`);
});
app.get('/api/broken', async () => {
  await pause(1);
  throw Object.assign(new Error('the API is broken'), { status: 503, expose: true });
});
app.get('/late', (_req, res) => {
  res.send('fine');
  setImmediate(() => {
    throw new Error('after the response');
  });
});
app.use('/api', (error, _req, res, _next) => {
  res
    .status(error.status ?? 500)
    .json({ error: error.message, stack: error.stack, at: new Date().toISOString() });
});

const server = app.listen(process.env.PORT ?? 3000, () => {
  console.log(`open since ${new Date().toISOString()} on port ${server.address().port}`);
});
