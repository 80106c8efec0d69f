import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';
import { braces, filesOf } from '../support/files';

describe('app.locals (§2.1)', () => {
  it('is an object without a prototype that contains only the settings [F-2.1-01]', () => {
    const app = framework();

    expect(Object.keys(app.locals)).to.deep.equal(['settings']);
    expect(app.locals.settings).to.equal((app as unknown as { settings: object }).settings);
    expect(Object.getPrototypeOf(app.locals)).to.equal(null);
  });

  it('provides local variables for templates [F-2.1-02]', async () => {
    const app = framework();
    app.engine('html', braces).set('views', filesOf({ 'hello.html': 'Hello {who}' }));
    app.locals.who = 'Ada';
    app.get('/', (_req, res) => res.render('hello.html'));

    const res = await request(app).get('/');

    expect(res.text).to.equal('Hello Ada');
  });

  it('keeps its values between requests, and handlers read it as req.app.locals [F-2.1-03 F-2.1-04]', async () => {
    const app = framework();
    app.locals.count = 0;
    app.get('/', (req, res) => res.json(++req.app.locals.count));

    await request(app).get('/');
    const res = await request(app).get('/');

    expect(res.body).to.equal(2);
  });
});

describe('app.mountpath (§2.1)', () => {
  it('is the pattern that the application is mounted on, not the path that matched [F-2.1-06]', async () => {
    const [app, sub] = [framework(), framework()];
    sub.get('/', (req, res) => res.json([sub.mountpath, req.baseUrl]));
    app.use('/users/:id', sub);

    const res = await request(app).get('/users/7');

    expect(res.body).to.deep.equal(['/users/:id', '/users/7']);
  });

  it('is a list for several patterns [F-2.1-07]', () => {
    const [app, sub] = [framework(), framework()];
    app.use(['/a', '/b{/:c}'], sub);

    expect(sub.mountpath).to.deep.equal(['/a', '/b{/:c}']);
  });

  it('is "/" for an application that is not mounted, and for one mounted without a path [F-2.1-08]', () => {
    const [app, sub] = [framework(), framework()];
    app.use(sub);

    expect([app.mountpath, sub.mountpath]).to.deep.equal(['/', '/']);
  });

  it('is the path of the last mount if the application was mounted twice [F-2.1-06]', () => {
    const [app, sub] = [framework(), framework()];
    app.use('/first', sub);
    app.use('/last', sub);

    expect(sub.mountpath).to.equal('/last');
  });
});

describe('app.router (§2.1)', () => {
  it('is the same router at every access, and cannot be assigned [F-2.1-09]', () => {
    const app = framework();
    const { router } = app;

    expect(router).to.be.a('function').with.property('stack').that.is.an('array');
    expect(app.router).to.equal(router);
    expect(() => Object.assign(app, { router: framework.Router() })).to.throw(TypeError);
  });

  it('is created on first use, with the settings of that moment [F-2.1-10]', async () => {
    const app = framework();
    app.enable('strict routing');
    app.router.get('/foo', (_req, res) => res.send('foo'));
    app.disable('strict routing');

    await request(app).get('/foo').expect(200);
    await request(app).get('/foo/').expect(404);
  });

  it('keeps the order of layers, whether registered on it or on the application [F-2.1-11]', async () => {
    const app = framework();
    const order: string[] = [];
    const note = (name: string) => (_req: unknown, _res: unknown, next: () => void) => {
      order.push(name);
      next();
    };
    app.use(note('app.use'));
    app.router.use(note('router.use'));
    app.get('/', note('app.get'));
    app.router.get('/', note('router.get'));

    await request(app).get('/');

    expect(order).to.deep.equal(['app.use', 'router.use', 'app.get', 'router.get']);
  });

  it('is a new, empty router after a second app.init() [F-2.1-09]', async () => {
    const app = framework();
    app.get('/', (_req, res) => res.send('old'));
    const { router } = app;
    app.init();

    expect(app.router).not.to.equal(router);
    await request(app).get('/').expect(404);
  });
});
