// What the suites of routing-controllers and webpack-dev-middleware do in Jest: they add their handlers to an application,
// send requests with supertest and agents, and close the server after each test. FRAMEWORK as in suite.cjs.
require('reflect-metadata');
const { createServer } = require('node:http');
const { Controller, Get, JsonController, NotFoundError, useExpressServer } = require('routing-controllers');
const request = require('supertest');
const webpack = require('webpack');
const webpackDevMiddleware = require('webpack-dev-middleware');

const framework = require(process.env.FRAMEWORK);

/** Applies decorators to a class and its methods, as TypeScript compiles them. */
function decorate(target, decorator, methods) {
  for (const [name, ofMethod] of Object.entries(methods))
    ofMethod(target.prototype, name, Object.getOwnPropertyDescriptor(target.prototype, name));
  decorator(target);
  return target;
}

describe('routing-controllers', () => {
  let server;

  beforeEach((done) => {
    class Users {
      all() {
        return [{ id: 1 }];
      }
      async later() {
        return { id: 2 };
      }
      fails() {
        throw new NotFoundError('no user');
      }
    }
    class Page {
      show() {
        return '<b>page</b>';
      }
    }
    decorate(Users, JsonController(), { all: Get('/users'), later: Get('/later'), fails: Get('/fails') });
    decorate(Page, Controller(), { show: Get('/page') });
    const app = framework();
    useExpressServer(app, { controllers: [Users, Page] });
    server = app.listen(0, done);
  });

  afterEach((done) => {
    server.close(done);
  });

  it('responds with the results of controllers', async () => {
    expect((await request(server).get('/users').expect(200)).body).toEqual([{ id: 1 }]);
    expect((await request(server).get('/later').expect(200)).body).toEqual({ id: 2 });
    expect((await request(server).get('/page').expect('content-type', /html/)).text).toBe('<b>page</b>');
  });

  it('responds with the errors of controllers', async () => {
    const { body } = await request(server).get('/fails').expect(404);
    expect(body.message).toBe('no user');
  });
});

describe('webpack-dev-middleware', () => {
  let instance;
  let server;
  let agent;

  beforeAll((done) => {
    const compiler = webpack({
      mode: 'development',
      context: __dirname,
      entry: './hello.cjs',
      output: { path: '/', filename: 'bundle.js' },
      infrastructureLogging: { level: 'none' },
      stats: 'none',
    });
    instance = webpackDevMiddleware(compiler);
    const app = framework();
    app.use(instance);
    app.get('/after', (_req, res) => res.send('after'));
    server = createServer(app).listen(0, () => {
      agent = request.agent(server);
      instance.waitUntilValid(() => done());
    });
  });

  afterAll((done) => {
    instance.close(() => server.close(done));
  });

  it('serves bundles, also in parts and for HEAD', async () => {
    const { headers, text } = await agent.get('/bundle.js').expect(200);
    expect(headers['content-type']).toMatch(/^(text|application)\/javascript/);
    expect(text).toContain('hello from webpack');
    const part = await agent.get('/bundle.js').set('Range', 'bytes=0-9').expect(206);
    expect(part.headers['content-range']).toBe(`bytes 0-9/${headers['content-length']}`);
    await agent.head('/bundle.js').expect(200).expect('content-length', headers['content-length']);
  });

  it('passes other requests to the application', async () => {
    await agent.get('/after').expect(200, 'after');
    await agent.get('/none').expect(404);
  });
});
