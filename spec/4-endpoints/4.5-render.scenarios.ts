/** Scenarios for res.render() and app.render(), with common template engines. §4.5 */
import { join } from 'node:path';
import ejs from 'ejs';
import type { ErrorRequestHandler } from 'express';
import { get, head } from '../../parity/client/request';
import { expectGets } from '../../parity/scenario/routes';
import { type Framework, scenario } from '../../parity/scenario/scenario';

/** The HTML that each engine renders for page with LOCALS. */
const ENGINES = {
  ejs: '<p>Hello &lt;Ünï&gt;, production</p>\n<li>one</li><li>two &amp; three</li>\n',
  pug: '<p>Hello &lt;Ünï&gt;</p><ul><li>one</li><li>two &amp; three</li></ul>',
  hbs: '<p>Hello &lt;Ünï&gt;</p>\n<ul><li>one</li><li>two &amp; three</li></ul>\n',
};
const PAGE = '<p>Hello &lt;Ünï&gt;, development</p>\n<li>one</li><li>two &amp; three</li>\n';
const HTML_TYPE = 'text/html; charset=utf-8';
const LOCALS = { greeting: 'Hello', name: '<Ünï>', items: ['one', 'two & three'] };

function appWithViews(framework: Framework, files: string): ReturnType<Framework> {
  const app = framework();
  app.set('views', join(files, '..', 'views'));
  return app;
}

export default [
  ...Object.entries(ENGINES).map(([engine, html]) =>
    scenario({
      name: `res.render finds views of ${engine} by extension and by the setting view engine`,
      // biome-ignore format: a table
      clauses: [
        'F-4.5-58', 'F-4.5-59', 'F-4.5-60', 'F-4.5-61', 'F-4.5-62', 'F-4.5-64', 'F-7-22',
        'F-1-09',
      ],
      build({ framework, files }) {
        const app = appWithViews(framework, files);
        app.get('/extension', (_req, res) => res.render(`page.${engine}`, LOCALS));
        app.get('/absolute', (_req, res) => res.render(join(files, '..', 'views', `page.${engine}`), LOCALS));
        app.get('/no-engine', (_req, res) => res.render('page', LOCALS));
        const sub = appWithViews(framework, files);
        sub.set('view engine', engine);
        sub.get('/name', (_req, res) => res.render('page', LOCALS));
        sub.get('/broken', (_req, res) => res.render('broken', LOCALS));
        sub.get('/broken-error', (_req, res) =>
          res.render('broken', LOCALS, (err) => res.send(/missing|Parse error|deep/.exec(String(err))?.[0])),
        );
        sub.get('/missing', (_req, res) => res.render('missing', LOCALS));
        sub.get('/status', (_req, res) => res.status(203).type('text').render('page', LOCALS));
        app.use('/sub', sub);
        return app;
      },
      requests: [
        ...expectGets({
          '/extension': { 'content-type': HTML_TYPE, body: html },
          '/absolute': { 'content-type': HTML_TYPE, body: html },
          '/no-engine': { status: 500 },
          '/sub/name': { 'content-type': HTML_TYPE, body: html },
          '/sub/broken': { status: 500 },
          '/sub/missing': { status: 500 },
          '/sub/status': { status: 203, 'content-type': 'text/plain; charset=utf-8', body: html },
        }),
        head('/extension').expect({
          status: 200,
          'content-length': String(Buffer.byteLength(html)),
          body: '',
        }),
        get('/sub/broken-error').expect({ body: /missing|Parse error|deep/ }),
      ],
      // The error of an engine quotes the view. In production, the response does not contain the error.
      env: { NODE_ENV: 'production' },
    }),
  ),
  scenario({
    name: 'res.render looks up a view in every directory, and a folder by its index file',
    clauses: ['F-4.5-59', 'F-4.5-61', 'F-4.5-64'],
    build({ framework, files }) {
      const app = framework();
      const views = join(files, '..', 'views');
      app.set('views', [views, join(views, 'second')]);
      app.set('view engine', '.ejs');
      app.get('/:name', (req, res) => res.render(String(req.params.name), LOCALS));
      app.get('/in/:folder/:name', (req, res) =>
        res.render(`${req.params.folder}/${req.params.name}`, LOCALS),
      );
      return app;
    },
    requests: expectGets({
      '/page': PAGE,
      '/users': '<p>users &lt;Ünï&gt;</p>\n',
      '/only-here': '<p>second &lt;Ünï&gt;</p>\n',
      '/nowhere': {
        status: 500,
        body: /Failed to lookup view &quot;nowhere&quot; in views directories &quot;\S+views&quot; or &quot;\S+second&quot;/,
      },
      '/in/users/index': '<p>users &lt;Ünï&gt;</p>\n',
      '/in/second/page': '<p>never &lt;Ünï&gt;</p>\n',
      '/in/..%2F..%2F..%2F/page': { status: 500 },
    }),
  }),
  scenario({
    name: 'res.render prefers locals of the call to res.locals, and res.locals to app.locals',
    clauses: ['F-4.5-62', 'F-2.7-03', 'F-2.1-02', 'F-4.2-67'],
    build({ framework, files }) {
      const app = appWithViews(framework, files);
      app.engine('seen', (_path: string, options: object, done: (err: null, html: string) => void) => {
        const { settings: _settings, ...locals } = options as Record<string, unknown>;
        done(null, JSON.stringify(locals));
      });
      app.engine('ejs', (_path: string, options: object, done: (err: null, html: string) => void) => {
        const { settings, ...locals } = options as Record<string, unknown>;
        done(null, JSON.stringify([locals, typeof settings]));
      });
      app.locals.from = 'application';
      app.locals.application = true;
      app.use((_req, res, next) => {
        res.locals.from = 'response';
        res.locals.response = true;
        next();
      });
      app.get('/call', (_req, res) => res.render('seen.ejs', { from: 'call' }));
      app.get('/response', (_req, res) => res.render('seen.ejs'));
      app.get('/own-locals', (_req, res) => res.render('seen.ejs', { _locals: { from: 'given' } }));
      app.get('/cache', (_req, res) => res.render('seen.ejs', { cache: true }));
      app.get('/null', (_req, res) => res.render('seen.ejs', null as never));
      app.get('/written', (_req, res) => {
        const given: Record<string, unknown> = { a: 1 };
        res.render('seen.ejs', given, () => res.json([Object.keys(given), given._locals === res.locals]));
      });
      return app;
    },
    requests: expectGets({
      '/call': /"from":"call","application":true,"response":true/,
      '/response': /"from":"response","application":true,"response":true/,
      '/own-locals': /"from":"response".*"_locals":\{"from":"response"/,
      '/cache': /"cache":true/,
      '/null': /"from":"response"/,
      '/written': { json: [['a', '_locals'], true] },
    }),
  }),
  scenario({
    name: 'res.render passes the HTML or the error to its callback and sends nothing',
    clauses: ['F-4.5-63', 'F-4.5-64', 'F-4.2-61', 'F-4.2-62'],
    build({ framework, files }) {
      const app = appWithViews(framework, files);
      app.set('view engine', 'ejs');
      const told =
        (res: { json(value: unknown): void; headersSent: boolean }) => (err: Error | null, html?: string) =>
          res.json([
            err?.name,
            err?.message.replace(files.slice(0, -'files'.length), ''),
            html,
            res.headersSent,
          ]);
      app.get('/third', (_req, res) => res.render('page', LOCALS, told(res)));
      app.get('/second', (_req, res) => {
        Object.assign(res.locals, LOCALS);
        res.render('page', told(res));
      });
      app.get('/missing', (_req, res) => res.render('nowhere', told(res)));
      app.get('/throws', (_req, res) => res.render('', told(res)));
      app.get('/app', (_req, res) => app.render('page', LOCALS, told(res)));
      app.get('/app-missing', (_req, res) => app.render('nowhere', told(res)));
      const sub = framework();
      sub.set('views', ['/a', '/b', '/c']).set('view engine', 'ejs');
      sub.get('/', (_req, res) => res.render('nowhere'));
      const tellView: ErrorRequestHandler = (err, _req, res, _next) => res.json([err.message, err.view.name]);
      sub.use(tellView);
      app.use('/directories', sub);
      return app;
    },
    requests: expectGets({
      '/third': { json: [null, null, PAGE, false] },
      '/second': { json: [null, null, PAGE, false] },
      '/missing': {
        json: ['Error', 'Failed to lookup view "nowhere" in views directory "views"', null, false],
      },
      '/throws': { json: ['Error', 'Failed to lookup view "" in views directory "views"', null, false] },
      '/app': { json: [null, null, PAGE, false] },
      '/app-missing': {
        json: ['Error', 'Failed to lookup view "nowhere" in views directory "views"', null, false],
      },
      '/directories': {
        json: ['Failed to lookup view "nowhere" in views directories "/a", "/b" or "/c"', 'nowhere'],
      },
    }),
  }),
  scenario({
    name: 'res.render handles engines that throw, call back synchronously or have no __express',
    clauses: ['F-4.5-64', 'F-7-22'],
    build({ framework, files }) {
      const app = appWithViews(framework, files);
      app.engine('pug', () => {
        throw Object.assign(new Error('thrown by the engine'), { status: 503 });
      });
      app.engine('.hbs', (_path, _options, done) => done('an error that is no object'));
      app.engine('ejs', ejs.renderFile as never);
      app.get('/throws', (_req, res) => res.render('page.pug'));
      app.get('/text', (_req, res) => res.render('page.hbs'));
      app.get('/ejs', (_req, res) => res.render('page.ejs', LOCALS));
      app.get('/no-engine', (_req, res) => res.render('page.mime-types'));
      app.get('/no-extension', (_req, res) => res.render('page'));
      app.get('/no-module', (_req, res) => {
        try {
          res.render('page.no-such-module-at-all');
        } catch (err) {
          res.send((err as NodeJS.ErrnoException).code);
        }
      });
      return app;
    },
    requests: expectGets({
      '/throws': { status: 503, body: /thrown by the engine/ },
      '/text': { status: 500, body: /an error that is no object/ },
      '/ejs': '<p>Hello &lt;Ünï&gt;, test</p>\n<li>one</li><li>two &amp; three</li>\n',
      '/no-engine': { status: 500, body: /Module &quot;mime-types&quot; does not provide a view engine/ },
      '/no-module': 'MODULE_NOT_FOUND',
      '/no-extension': {
        status: 500,
        body: /No default engine was specified and no extension was provided\./,
      },
    }),
    env: { NODE_ENV: 'test' },
  }),
  scenario({
    name: 'res.render looks up a view once with the local cache',
    clauses: ['F-4.5-65'],
    build({ framework }) {
      const app = framework();
      const looked: string[] = [];
      class Counted {
        readonly name: string;
        readonly path = 'there';
        constructor(name: string) {
          looked.push(name);
          this.name = name;
        }
        render(options: { cache?: unknown }, done: (err: null, html: string) => void): void {
          done(null, `${this.name} ${options.cache}, looked up ${looked}`);
        }
      }
      app.set('view', Counted);
      app.get('/cached', (_req, res) => res.render('a', { cache: true }));
      app.get('/fresh', (_req, res) => res.render('a', { cache: false }));
      app.get('/unsaid', (_req, res) => res.render('b'));
      app.get('/enable', (_req, res) => {
        app.enable('view cache');
        res.end();
      });
      app.get('/primed', (_req, res) => {
        const { cache } = app as unknown as { cache: Record<string, unknown> };
        cache.primed = {
          render: (_options: object, done: (err: null, html: string) => void) => done(null, 'primed'),
        };
        res.render('primed', { cache: true });
      });
      return app;
    },
    requests: [
      get('/cached').expect({ body: 'a true, looked up a' }),
      get('/cached').expect({ body: 'a true, looked up a' }),
      get('/fresh').expect({ body: 'a false, looked up a,a' }),
      get('/unsaid').expect({ body: 'b false, looked up a,a,b' }),
      get('/unsaid').expect({ body: 'b false, looked up a,a,b,b' }),
      get('/enable'),
      get('/unsaid').expect({ body: 'b true, looked up a,a,b,b,b' }),
      get('/unsaid').expect({ body: 'b true, looked up a,a,b,b,b' }),
      get('/fresh').expect({ body: 'a false, looked up a,a,b,b,b,a' }),
      get('/primed').expect({ body: 'primed' }),
      get('/cached').expect({ body: 'a true, looked up a,a,b,b,b,a' }),
    ],
  }),
];
