import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';

describe('app.locals', () => {
  proves('F-2.1-01');
  it('is an object without a prototype that contains only the settings', () => {
    const app = framework();

    expect(Object.keys(app.locals)).to.deep.equal(['settings']);
    expect(app.locals.settings).to.equal((app as unknown as { settings: object }).settings);
    expect(Object.getPrototypeOf(app.locals)).to.equal(null);
  });
});

describe('app.mountpath', () => {
  proves('F-2.1-08');
  it('is "/" for an application that is mounted without a path', () => {
    const sub = framework();
    framework().use(sub);

    expect(sub.mountpath).to.equal('/');
  });

  proves('F-2.1-06');
  it('is the path of the last mount if the application was mounted twice', () => {
    const [app, sub] = [framework(), framework()];
    app.use('/first', sub);
    app.use('/last', sub);

    expect(sub.mountpath).to.equal('/last');
  });
});

describe('app.router', () => {
  proves('F-2.1-11');
  it('keeps the order of layers, whether registered on it or on the application', async () => {
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

  proves('F-2.1-09');
  it('is a new, empty router after a second app.init()', async () => {
    const app = framework();
    app.get('/', (_req, res) => res.send('old'));
    const { router } = app;
    app.init();

    expect(app.router).not.to.equal(router);
    await request(app).get('/').expect(404);
  });
});
