import { join } from 'node:path';
import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';
import { braces, filesOf } from '../support/files';

const VIEWS = join(__dirname, '../../fixtures/views');
const LOCALS = { greeting: 'Hello', name: '<Ada>', items: ['one', 'two & three'] };

function appWithViews(engine?: string) {
  const app = framework();
  app.set('env', 'test').set('views', VIEWS);
  if (engine) app.set('view engine', engine);
  return app;
}

describe('res.render() with published engines (§4.5)', () => {
  const RENDERED: Readonly<Record<string, RegExp>> = {
    ejs: /^<p>Hello &lt;Ada&gt;, test<\/p>\s*<li>one<\/li><li>two &amp; three<\/li>\s*$/,
    pug: /^<p>Hello &lt;Ada&gt;<\/p><ul><li>one<\/li><li>two &amp; three<\/li><\/ul>$/,
    hbs: /^<p>Hello &lt;Ada&gt;<\/p>\s*<ul><li>one<\/li><li>two &amp; three<\/li><\/ul>\s*$/,
  };

  for (const [engine, html] of Object.entries(RENDERED)) {
    it(`${engine}: sends a view of the setting views as HTML [F-4.5-58 F-4.5-59 F-4.5-62]`, async () => {
      const app = appWithViews();
      app.get('/', (_req, res) => res.render(`page.${engine}`, LOCALS));

      const res = await request(app).get('/');

      expect(res.headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(res.text).to.match(html);
    });

    it(`${engine}: the setting view engine adds the extension to a name [F-4.5-61]`, async () => {
      const app = appWithViews(engine);
      app.get('/', (_req, res) => res.render('page', LOCALS));

      const res = await request(app).get('/');

      expect(res.text).to.match(html);
    });

    it(`${engine}: renders a view with an absolute path [F-4.5-60]`, async () => {
      const app = framework();
      app.set('env', 'test');
      app.get('/', (_req, res) => res.render(join(VIEWS, `page.${engine}`), LOCALS));

      const res = await request(app).get('/');

      expect(res.text).to.match(html);
    });

    it(`${engine}: passes the error of a view that fails to next [F-4.5-64 F-7-22]`, async () => {
      const app = appWithViews(engine);
      app.get('/', (_req, res) => res.render('broken', LOCALS));

      const res = await request(app).get('/');

      expect(res.status).to.equal(500);
      expect(res.text).to.match(/missing|Parse error|deep/);
    });
  }
});

describe('res.render() (§4.5)', () => {
  it('searches each directory of the setting views in order [F-4.5-59]', async () => {
    const app = appWithViews('ejs').set('views', [VIEWS, join(VIEWS, 'second')]);
    app.get('/:name', (req, res) => res.render(req.params.name, LOCALS));

    const [first, second] = [await request(app).get('/page'), await request(app).get('/only-here')];

    expect(first.text).to.include('Hello');
    expect(second.text).to.include('second');
  });

  it('renders the index file of a directory [F-4.5-61]', async () => {
    const app = appWithViews('ejs');
    app.get('/', (_req, res) => res.render('users', LOCALS));

    const res = await request(app).get('/');

    expect(res.text).to.equal('<p>users &lt;Ada&gt;</p>\n');
  });

  it('locals of the call override res.locals, which override app.locals [F-4.5-62]', async () => {
    const app = framework();
    app
      .engine('txt', braces)
      .set('views', filesOf({ 'who.txt': '{a} {b} {c}' }))
      .set('view engine', 'txt');
    Object.assign(app.locals, { a: 'application', b: 'application', c: 'application' });
    app.get('/', (_req, res) => {
      Object.assign(res.locals, { b: 'response', c: 'response' });
      res.render('who', { c: 'call' });
    });

    const res = await request(app).get('/');

    expect(res.text).to.equal('application response call');
  });

  it('passes the HTML to a callback, and sends no response [F-4.5-63]', async () => {
    const app = appWithViews('ejs');
    app.get('/', (_req, res) => {
      res.render('users', LOCALS, (err, html) => res.json([err, html, res.headersSent]));
    });

    const res = await request(app).get('/');

    expect(res.body).to.deep.equal([null, '<p>users &lt;Ada&gt;</p>\n', false]);
  });

  it('accepts a callback instead of the locals [F-4.5-63]', async () => {
    const app = appWithViews('ejs');
    app.get('/', (_req, res) => {
      res.locals.name = 'Ada';
      res.render('users', (_err: Error, html: string) => res.send(html.toUpperCase()));
    });

    const res = await request(app).get('/');

    expect(res.text).to.equal('<P>USERS ADA</P>\n');
  });

  it('passes an error to the callback instead of next [F-4.5-63 F-4.5-64]', async () => {
    const app = appWithViews('ejs');
    app.get('/', (_req, res) => res.render('nowhere', (err: Error) => res.send(err.message)));

    const res = await request(app).get('/');

    expect(res.text).to.equal(`Failed to lookup view "nowhere" in views directory "${VIEWS}"`);
  });

  it('passes an error that lists all directories to next for a missing view [F-4.5-64 F-7-22]', async () => {
    const app = appWithViews('ejs').set('views', ['/a', '/b', '/c']);
    app.get('/', (_req, res) => res.render('nowhere'));
    app.use(
      (err: Error & { view: { name: string } }, _req: unknown, res: typeof app.response, _next: unknown) => {
        res.json([err.message, err.view.name]);
      },
    );

    const res = await request(app).get('/');

    expect(res.body).to.deep.equal([
      'Failed to lookup view "nowhere" in views directories "/a", "/b" or "/c"',
      'nowhere',
    ]);
  });

  it('throws for a name without extension if the setting view engine is not set [F-4.5-61 F-4.5-64]', async () => {
    const app = appWithViews();
    app.get('/', (_req, res) => res.render('page'));

    const res = await request(app).get('/');

    expect(res.text).to.include('No default engine was specified and no extension was provided.');
  });

  it('looks a view up only once if the local cache is true [F-4.5-65]', async () => {
    const app = framework();
    const looked: string[] = [];
    app.set(
      'view',
      class {
        readonly path = 'there';
        constructor(name: string) {
          looked.push(name);
        }
        render(_options: object, done: (err: null, html: string) => void): void {
          done(null, 'html');
        }
      },
    );
    app.get('/:cache', (req, res) => res.render('page', { cache: req.params.cache === 'cached' }));

    for (const path of ['/cached', '/cached', '/fresh', '/cached']) await request(app).get(path);

    expect(looked).to.deep.equal(['page', 'page']);
  });
});
