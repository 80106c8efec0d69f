// A small application for Node.js, Bun and Deno, which sends requests to itself. It prints JSON: by name of each feature,
// whether the response was right.
//
//   node smoke.cjs <framework> <logger> <folder with hello.txt>
const { AsyncLocalStorage } = require('node:async_hooks');
const { readFile } = require('node:fs');
const [framework, logger, folder] = process.argv
  .slice(2)
  .map((name) => (name.startsWith('/') ? name : require(name)));

const lines = [];
const storage = new AsyncLocalStorage();
const app = framework();
app.set('views', folder).set('view engine', 'txt');
app.engine('txt', (file, { name }, done) =>
  readFile(file, 'utf8', (err, text) => done(err, text?.replace('NAME', name))),
);
app.use(logger(':method :url :status', { stream: { write: (line) => lines.push(line.trim()) } }));
app.use((_req, _res, next) => storage.run('kept', next));
app.use(framework.json(), framework.urlencoded({ extended: true }), framework.static(folder));
app.get('/users/:id', (req, res) => res.json(req.params));
app.get('/view', (_req, res) => res.render('hello', { name: 'Ada' }));
app.post('/echo', (req, res) => res.json(req.body));
app.get('/cookie', (_req, res) => res.cookie('a', 'b').redirect('/users/1'));
app.get('/file', (_req, res) => res.sendFile('hello.txt', { root: folder }));
app.get('/context', (_req, res) => res.send(storage.getStore()));
app.get('/stream', (_req, res) => {
  res.write('one ');
  setTimeout(() => res.end('two'), 10);
});
app.get('/reject', async () => Promise.reject(Object.assign(new Error('refused'), { status: 418 })));
app.use((err, _req, res, _next) => res.status(err.status || 500).send(err.message));

const JSON_TYPE = { 'content-type': 'application/json' };
const CHECKS = {
  routing: ['/users/7', {}, 200, '{"id":"7"}'],
  'JSON body': ['/echo', { method: 'POST', headers: JSON_TYPE, body: '{"a":[1]}' }, 200, '{"a":[1]}'],
  'form body': ['/echo', { method: 'POST', body: new URLSearchParams('a[b]=1') }, 200, '{"a":{"b":"1"}}'],
  'body in error': ['/echo', { method: 'POST', headers: JSON_TYPE, body: '{"a"' }, 400, undefined],
  view: ['/view', {}, 200, 'Hello Ada'],
  'static file': ['/hello.txt', {}, 200, 'Hello NAME'],
  'range of a file': ['/file', { headers: { range: 'bytes=0-4' } }, 206, 'Hello'],
  'cookie and redirect': ['/cookie', { redirect: 'manual' }, 302, 'Found. Redirecting to /users/1'],
  HEAD: ['/users/7', { method: 'HEAD' }, 200, ''],
  'automatic OPTIONS': ['/users/7', { method: 'OPTIONS' }, 200, 'GET, HEAD'],
  streaming: ['/stream', {}, 200, 'one two'],
  'async context': ['/context', {}, 200, 'kept'],
  'rejected promise': ['/reject', {}, 418, 'refused'],
  'final handler': ['/none', {}, 404, undefined],
};

/** Express has no entry points for fetch and HTTP/2, so they are only tested with this package. */
const isNozomi = process.argv[2] === 'nozomi';

/**
 * Sends the requests of `CHECKS` and records for each whether the response was right.
 *
 * @param request A function like `fetch`.
 * @param prefix Precedes the names in `results`.
 */
async function check(request, results, prefix = '') {
  for (const [name, [path, init, status, body]] of Object.entries(CHECKS)) {
    try {
      const response = await request(path, init);
      const text = (await response.text()).trim();
      results[prefix + name] = response.status === status && (body === undefined || text === body);
    } catch {
      results[prefix + name] = false;
    }
  }
}

/** Serves the application with `Bun.serve` or `Deno.serve`. @returns The body of one response. */
async function overOwnServer() {
  const { toFetch } = require('nozomi/fetch');
  const fetchHandler = toFetch(app);
  if (globalThis.Bun) {
    const server = Bun.serve({ port: 0, fetch: fetchHandler });
    return (await fetch(`http://127.0.0.1:${server.port}/users/7`)).text();
  }
  const listening = await new Promise((resolve) => {
    const server = Deno.serve({ port: 0, onListen: () => setTimeout(() => resolve(server)) }, fetchHandler);
  });
  return (await fetch(`http://127.0.0.1:${listening.addr.port}/users/7`)).text();
}

/** Serves the application over HTTP/2 without TLS. @returns The body of one response. */
function overHttp2() {
  const { listen } = require('nozomi/http2');
  return new Promise((resolve, reject) => {
    const server = listen(app, { port: 0, host: '127.0.0.1', cleartext: true }, () => {
      const session = require('node:http2').connect(`http://127.0.0.1:${server.address().port}`);
      session.on('error', reject);
      let body = '';
      const stream = session.request({ ':path': '/users/7' }).setEncoding('utf8');
      stream.on('data', (text) => {
        body += text;
      });
      stream.on('end', () => resolve(body));
      stream.on('error', reject);
      setTimeout(() => reject(new Error('HTTP/2: no response within 5 s')), 5000);
    });
  });
}

const server = app.listen(0, '127.0.0.1', async () => {
  const results = {};
  const ask = (path, init) => fetch(`http://127.0.0.1:${server.address().port}${path}`, init);
  await check(ask, results);
  const first = await ask('/users/7');
  await first.text();
  // Set Cache-Control: fetch adds `no-cache` to conditional requests without it, so the response would never be 304.
  const conditional = { 'if-none-match': first.headers.get('etag'), 'cache-control': 'max-age=0' };
  const again = await ask('/users/7', { headers: conditional });
  results['304 for a fresh response'] = again.status === 304;
  results.logger =
    lines.includes('GET /users/7 200') && lines.includes('GET /none 404') && lines.length >= 15;
  if (isNozomi) {
    await check(require('nozomi/fetch').toFetch(app), results, 'toFetch: ');
    const isRight = (body) => body === '{"id":"7"}';
    if (globalThis.Bun || globalThis.Deno) {
      results['toFetch: Bun.serve or Deno.serve'] = await overOwnServer().then(isRight, () => false);
    }
    results['HTTP/2'] = await overHttp2().then(isRight, () => false);
  }
  console.log(JSON.stringify(results));
  process.exit(0);
});
