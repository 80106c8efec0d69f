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

describe('§4.5 res.render() with real engines', () => {
  const RENDERED: Readonly<Record<string, RegExp>> = {
    ejs: /^<p>Hello &lt;Ada&gt;, test<\/p>\s*<li>one<\/li><li>two &amp; three<\/li>\s*$/,
    pug: /^<p>Hello &lt;Ada&gt;<\/p><ul><li>one<\/li><li>two &amp; three<\/li><\/ul>$/,
    hbs: /^<p>Hello &lt;Ada&gt;<\/p>\s*<ul><li>one<\/li><li>two &amp; three<\/li><\/ul>\s*$/,
  };

  for (const [engine, html] of Object.entries(RENDERED)) {
    it(`F-4.5-58 F-4.5-59 F-4.5-62 ${engine}: a view of the directory becomes the answer, as HTML`, async () => {
      const app = appWithViews();
      app.get('/', (_req, res) => res.render(`page.${engine}`, LOCALS));

      const res = await request(app).get('/');

      expect(res.headers['content-type']).to.equal('text/html; charset=utf-8');
      expect(res.text).to.match(html);
    });

    it(`F-4.5-61 ${engine}: the setting view engine completes a name without extension`, async () => {
      const app = appWithViews(engine);
      app.get('/', (_req, res) => res.render('page', LOCALS));

      const res = await request(app).get('/');

      expect(res.text).to.match(html);
    });

    it(`F-4.5-60 ${engine}: an absolute name needs no directory`, async () => {
      const app = framework();
      app.set('env', 'test');
      app.get('/', (_req, res) => res.render(join(VIEWS, `page.${engine}`), LOCALS));

      const res = await request(app).get('/');

      expect(res.text).to.match(html);
    });

    it(`F-4.5-64 F-7-22 ${engine}: a view that fails goes to the error handlers`, async () => {
      const app = appWithViews(engine);
      app.get('/', (_req, res) => res.render('broken', LOCALS));

      const res = await request(app).get('/');

      expect(res.status).to.equal(500);
      expect(res.text).to.match(/missing|Parse error|deep/);
    });
  }
});

describe('§4.5 res.render()', () => {
  it('F-4.5-59 looks into each directory in turn', async () => {
    const app = appWithViews('ejs').set('views', [VIEWS, join(VIEWS, 'second')]);
    app.get('/:name', (req, res) => res.render(req.params.name, LOCALS));

    const [first, second] = [await request(app).get('/page'), await request(app).get('/only-here')];

    expect(first.text).to.include('Hello');
    expect(second.text).to.include('second');
  });

  it('F-4.5-61 a name that is a directory stands for its index', async () => {
    const app = appWithViews('ejs');
    app.get('/', (_req, res) => res.render('users', LOCALS));

    const res = await request(app).get('/');

    expect(res.text).to.equal('<p>users &lt;Ada&gt;</p>\n');
  });

  it('F-4.5-62 locals of the call win over those of the response, and these over those of the application', async () => {
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

  it('F-4.5-63 a callback gets the HTML, and nothing is sent', async () => {
    const app = appWithViews('ejs');
    app.get('/', (_req, res) => {
      res.render('users', LOCALS, (err, html) => res.json([err, html, res.headersSent]));
    });

    const res = await request(app).get('/');

    expect(res.body).to.deep.equal([null, '<p>users &lt;Ada&gt;</p>\n', false]);
  });

  it('F-4.5-63 a callback may stand in place of the locals', async () => {
    const app = appWithViews('ejs');
    app.get('/', (_req, res) => {
      res.locals.name = 'Ada';
      res.render('users', (_err: Error, html: string) => res.send(html.toUpperCase()));
    });

    const res = await request(app).get('/');

    expect(res.text).to.equal('<P>USERS ADA</P>\n');
  });

  it('F-4.5-63 F-4.5-64 a callback gets the error instead of next', async () => {
    const app = appWithViews('ejs');
    app.get('/', (_req, res) => res.render('nowhere', (err: Error) => res.send(err.message)));

    const res = await request(app).get('/');

    expect(res.text).to.equal(`Failed to lookup view "nowhere" in views directory "${VIEWS}"`);
  });

  it('F-4.5-64 F-7-22 a view that is not found goes to the error handlers with all directories named', async () => {
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

  it('F-4.5-61 F-4.5-64 without extension and engine the name is refused', async () => {
    const app = appWithViews();
    app.get('/', (_req, res) => res.render('page'));

    const res = await request(app).get('/');

    expect(res.text).to.include('No default engine was specified and no extension was provided.');
  });

  it('F-4.5-65 with the local cache a view is looked up once', async () => {
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
