import { createServer } from 'node:http';
import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';

describe('res.app, res.headersSent, res.locals, res.req (§2.7)', () => {
  it('res.app is the application that runs the handler, the same as req.app [F-2.7-01]', async () => {
    const [app, sub] = [framework(), framework()];
    sub.get('/', (req, res) => res.json([res.app === sub, req.app === sub]));
    app.use('/sub', sub);
    app.use((req, res) => void res.json([res.app === app, req.app === app]));

    const [inner, outer] = [await request(app).get('/sub'), await request(app).get('/sub/other')];

    expect([inner.body, outer.body]).to.deep.equal([
      [true, true],
      [true, true],
    ]);
  });

  it('res.headersSent is false until the headers are sent [F-2.7-02]', async () => {
    const app = framework();
    app.get('/', (_req, res) => {
      res.write(`${res.headersSent} `);
      res.end(String(res.headersSent));
    });

    const res = await request(app).get('/').buffer(true);

    expect(String(res.text ?? res.body)).to.equal('false true');
  });

  it('res.locals provides local variables for the views of this response [F-2.7-03]', async () => {
    const app = framework();
    app.engine('html', (_path, options, done) => done(null, (options as { who: string }).who));
    app.set('views', __dirname).set(
      'view',
      class {
        readonly path = 'view';
        render(options: { who: string }, done: (err: null, html: string) => void): void {
          done(null, options.who);
        }
      },
    );
    app.use((_req, res, next) => {
      res.locals.who = 'Ada';
      next();
    });
    app.get('/', (_req, res) => res.render('view'));

    const res = await request(app).get('/');

    expect(res.text).to.equal('Ada');
  });

  it('res.locals is a new object without a prototype for every request [F-2.7-04]', async () => {
    const app = framework();
    app.get('/', (_req, res) => {
      res.locals.count = (res.locals.count ?? 0) + 1;
      res.json([res.locals.count, Object.getPrototypeOf(res.locals)]);
    });

    await request(app).get('/');
    const res = await request(app).get('/');

    expect(res.body).to.deep.equal([1, null]);
  });

  it('res.locals stays the object that code before the application has set [F-2.7-03]', async () => {
    const app = framework();
    app.get('/', (_req, res) => res.json(res.locals));

    const early = createServer((req, res) => app(req, Object.assign(res, { locals: { early: true } })));
    const res = await request(early).get('/');

    expect(res.body).to.deep.equal({ early: true });
  });

  it('res.req is the request, and its property res is this response [F-2.7-06]', async () => {
    const app = framework();
    app.get('/', (req, res) => res.json([res.req === req, req.res === res]));

    const res = await request(app).get('/');

    expect(res.body).to.deep.equal([true, true]);
  });
});
