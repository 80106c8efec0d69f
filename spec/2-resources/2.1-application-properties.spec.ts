import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';

describe('app.locals (§2.1)', () => {
  it('is an object without a prototype that contains only the settings [F-2.1-01]', () => {
    const app = framework();

    expect(Object.keys(app.locals)).to.deep.equal(['settings']);
    expect(app.locals.settings).to.equal((app as unknown as { settings: object }).settings);
    expect(Object.getPrototypeOf(app.locals)).to.equal(null);
  });
});

describe('app.mountpath (§2.1)', () => {
  it('is "/" for an application that is mounted without a path [F-2.1-08]', () => {
    const sub = framework();
    framework().use(sub);

    expect(sub.mountpath).to.equal('/');
  });

  it('is the path of the last mount if the application was mounted twice [F-2.1-06]', () => {
    const [app, sub] = [framework(), framework()];
    app.use('/first', sub);
    app.use('/last', sub);

    expect(sub.mountpath).to.equal('/last');
  });
});

describe('app.router (§2.1)', () => {
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
