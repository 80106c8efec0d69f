/**
 * Applications that code assembles from `express.application`, as http2-express-bridge and feathers do, and objects that
 * inherit from an application. §2.1
 */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import nozomi from 'nozomi';
import nozomi4 from 'nozomi/4';
import { strict } from 'nozomi/extras';
import request from 'supertest';

type App = nozomi.Express & { init(): void };
type Framework = typeof nozomi;

function mixin(target: object, source: object): void {
  for (const name of Object.getOwnPropertyNames(source)) {
    const descriptor = Object.getOwnPropertyDescriptor(source, name);
    if (descriptor && !Object.hasOwn(target, name)) Object.defineProperty(target, name, descriptor);
  }
}

function listener(app: () => App): App {
  return ((req: IncomingMessage, res: ServerResponse, next?: () => void) =>
    Reflect.apply(Reflect.get(app(), 'handle'), app(), [req, res, next])) as unknown as App;
}

function initialise(app: App, { request: req, response: res }: Framework): App {
  const owner = { app: { configurable: true, enumerable: true, writable: true, value: app } };
  app.request = Object.create(req, owner);
  app.response = Object.create(res, owner);
  app.init();
  return app;
}

/** Ways to create an application without a call of the framework. */
const WAYS: Readonly<Record<string, (framework: Framework) => App>> = {
  'copies of the members'(framework) {
    const app = listener(() => app);
    mixin(app, EventEmitter.prototype);
    mixin(app, framework.application);
    return initialise(app, framework);
  },
  'Object.assign'(framework) {
    const app = listener(() => app);
    Object.assign(app, EventEmitter.prototype, framework.application);
    return initialise(app, framework);
  },
  'a prototype'(framework) {
    const app: App = Object.create(framework.application);
    mixin(app, EventEmitter.prototype);
    initialise(app, framework);
    return Object.assign(
      listener(() => app),
      { get: app.get.bind(app), use: app.use.bind(app) },
    ) as App;
  },
};

describe('applications that are not created by the framework', () => {
  for (const [series, framework] of Object.entries({ nozomi, 'nozomi/4': nozomi4 as unknown as Framework })) {
    for (const way of ['copies of the members', 'Object.assign'])
      it(`${series}: strict accepts ${way} of express.application`, async () => {
        const app = strict(WAYS[way]?.(framework) as App)
          .set('env', 'test')
          .get('/', (_req, res) => void res.send('a'));
        const { status, headers } = await request(app).post('/');
        expect([status, headers.allow]).to.deep.equal([405, 'GET, HEAD']);
      });

    for (const [way, create] of Object.entries(WAYS)) {
      it(`${series}: ${way} of express.application`, async () => {
        const app = create(framework);
        const sub = framework().get('/', (req, res) => void res.json({ base: req.baseUrl }));
        app.use((_req, res, next) => {
          res.set('X-M', '1');
          next();
        });
        app.use('/sub', sub);
        app.get('/:a', (req, res) => void res.json({ a: req.params.a, x: req.query.x, isOwn: 'app' in req }));

        const response = await request(app).get('/v?x=1');

        expect(response.body).to.deep.equal({ a: 'v', x: '1', isOwn: true });
        expect(response.headers).to.include({ 'x-m': '1', 'x-powered-by': 'Nozomi' });
        expect((await request(app).get('/sub')).body).to.deep.equal({ base: '/sub' });
      });
    }

    it(`${series}: an object that inherits from an application has prototypes of its own when it sets them`, () => {
      const base = framework();
      const app: App = Object.create(base);
      const { request: before } = base;

      expect(app.request).to.equal(before);
      app.request = Object.create(framework.request);

      expect(app.request).not.to.equal(before);
      expect(base.request).to.equal(before);
    });
  }
});
