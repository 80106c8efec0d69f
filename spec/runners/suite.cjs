// The tests that scripts/runners plays with each test runner. FRAMEWORK names the framework: nozomi, express, or the name
// of one of them for Express 4 or 3. Only values of simple types are compared: in Jest, objects of Node.js and those of a
// test have different prototypes.
const assert = require('node:assert');
const { once } = require('node:events');
const { readFile } = require('node:fs/promises');
const http = require('node:http');
const path = require('node:path');
const inject = require('light-my-request');
const { createRequest, createResponse } = require('node-mocks-http');
const request = require('supertest');

const name = process.env.FRAMEWORK;
const framework = require(name);
const series = Number(/[345]$/.exec(name)?.[0] ?? 5);
const isOurs = name.startsWith('nozomi');

function create() {
  const app = framework();
  app.use(framework.json());
  app.use('/files', framework.static(__dirname));
  app.get('/text', (req, res) => res.send(`${req.query.a} ${req.protocol}`));
  app.get('/bytes', (_req, res) => res.send(Buffer.from('bytes')));
  app.get(/^\/(\d+)$/, (req, res) => res.json({ id: req.params[0] }));
  app.post('/body', (req, res) => res.json(req.body));
  app.get('/cookie', (req, res) => res.cookie('seen', '1').send(`${req.get('cookie')}`));
  app.get('/old', (_req, res) => res.redirect('/text'));
  app.get('/missing', (_req, _res, next) => {
    // An error of Node.js itself: in Jest it is no instance of the global Error.
    readFile(path.join(__dirname, 'none')).catch(next);
  });
  app.get('/fails', () => {
    throw Object.assign(new Error('teapot'), { status: 418 });
  });
  app.get('/rejects', async (_req, _res, next) => {
    if (series !== 5) return next(new Error('rejected'));
    throw new Error('rejected');
  });
  app.use((err, _req, res, _next) => res.status(err.status || 500).send(`${err.code || err.message}`));
  return app;
}

// Sends the requests of all servers below. `ask` resolves to { status, text, headers }.
async function askAll(ask) {
  const text = await ask('GET', '/text?a=1');
  assert.equal(
    `${text.status} ${text.text} ${text.headers['content-type']}`,
    '200 1 http text/html; charset=utf-8',
  );
  assert.match(text.headers.etag, /^W\/"/);
  assert.equal((await ask('GET', '/bytes')).headers['content-type'], 'application/octet-stream');
  assert.equal(JSON.parse((await ask('GET', '/7')).text).id, '7');
  const body = await ask('POST', '/body', '{"a":[1]}');
  assert.equal(JSON.stringify(JSON.parse(body.text)), '{"a":[1]}');
  assert.equal((await ask('POST', '/body', '{"a":')).status, 400);
  assert.equal((await ask('GET', '/cookie')).headers['set-cookie']?.toString(), 'seen=1; Path=/');
  assert.equal((await ask('GET', '/old')).headers.location, '/text');
  const missing = await ask('GET', '/missing');
  assert.equal(`${missing.status} ${missing.text}`, '500 ENOENT');
  const failed = await ask('GET', '/fails');
  assert.equal(`${failed.status} ${failed.text}`, '418 teapot');
  assert.equal((await ask('GET', '/rejects')).text, 'rejected');
  assert.equal((await ask('GET', '/nowhere')).status, 404);
  assert.equal((await ask('GET', '/files/hello.txt')).text, 'hello\n');
}

function askOver(port) {
  return async (method, target, body) => {
    const headers = body ? { 'content-type': 'application/json', 'content-length': body.length } : {};
    const req = http
      .request({ port, host: '127.0.0.1', method, path: target, headers, agent: false })
      .end(body);
    const [res] = await once(req, 'response');
    const chunks = [];
    for await (const chunk of res) chunks.push(chunk);
    return { status: res.statusCode, headers: res.headers, text: Buffer.concat(chunks).toString() };
  };
}

async function withServer(server, use) {
  if (!server.listening) await once(server, 'listening');
  try {
    await use(server.address().port);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

function suite(test) {
  test('app.listen', () => withServer(create().listen(0, '127.0.0.1'), (port) => askAll(askOver(port))));

  test('http.createServer', () =>
    withServer(http.createServer(create()).listen(0, '127.0.0.1'), (port) => askAll(askOver(port))));

  test('supertest', () => {
    const app = create();
    return askAll(async (method, target, body) => {
      const sent = request(app)[method.toLowerCase()](target);
      const res = await (body ? sent.set('content-type', 'application/json').send(body) : sent);
      return { status: res.status, headers: res.headers, text: res.text };
    });
  });

  test('an agent of supertest keeps cookies, and its server closes', () =>
    withServer(http.createServer(create()).listen(0, '127.0.0.1'), async (port) => {
      const agent = request.agent(`http://127.0.0.1:${port}`);
      await agent.get('/cookie').expect(200, 'undefined');
      await agent.get('/cookie').expect(200, 'seen=1');
    }));

  test('middleware and a mounted application', async () => {
    const app = framework();
    const calls = [];
    const mounted = framework();
    mounted.get('/in', (req, res) => res.send(`${req.originalUrl} ${calls}`));
    app.use((_req, _res, next) => {
      calls.push('first');
      next();
    });
    app.use('/mounted', mounted);
    await request(app).get('/mounted/in').expect(200, '/mounted/in first');
  });

  test('node-mocks-http', async () => {
    const parse = framework.json();
    const req = createRequest({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: { a: 1 },
    });
    const res = createResponse({ eventEmitter: require('node:events').EventEmitter });
    req._body = true;
    await new Promise((resolve, reject) => parse(req, res, (err) => (err ? reject(err) : resolve())));
    assert.equal(req.body.a, 1);
    if (series === 3) return;
    const router = framework.Router();
    router.get('/users/:id', (one, response) => response.json({ id: one.params.id }));
    router(createRequest({ method: 'GET', url: '/users/7' }), res, assert.ifError);
    assert.equal(res._getJSONData().id, '7');
  });

  if (isOurs) addOwn(test);

  // Last, because light-my-request changes the prototypes of the framework.
  test('light-my-request', () => {
    const app = create();
    return askAll(async (method, target, payload) => {
      const headers = payload ? { 'content-type': 'application/json' } : {};
      const res = await inject(app, { method, url: target, headers, ...(payload && { payload }) });
      return { status: res.statusCode, headers: res.headers, text: res.payload };
    });
  });
}

module.exports = Object.assign(suite, { askAll, askOver, create, withServer });

// Express has neither of these.
function addOwn(test) {
  test('toFetch', async () => {
    const handle = require('nozomi/fetch').toFetch(create());
    await askAll(async (method, target, body) => {
      const headers = body ? { 'content-type': 'application/json' } : {};
      const res = await handle(new Request(`http://127.0.0.1${target}`, { method, headers, body }));
      return { status: res.status, headers: Object.fromEntries(res.headers), text: await res.text() };
    });
  });

  test('http2.createServer', () => {
    const http2 = require('node:http2');
    const server = http2.createServer(create()).listen(0, '127.0.0.1');
    return withServer(server, async (port) => {
      const session = http2.connect(`http://127.0.0.1:${port}`);
      await askAll(async (method, target, body) => {
        const type = body ? { 'content-type': 'application/json' } : {};
        const stream = session.request({ ':method': method, ':path': target, ...type });
        stream.end(body);
        const [headers] = await once(stream, 'response');
        const chunks = [];
        for await (const chunk of stream) chunks.push(chunk);
        return { status: headers[':status'], headers, text: Buffer.concat(chunks).toString() };
      });
      session.close();
    });
  });
}
