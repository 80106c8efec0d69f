// Members of Express 4, as applications use them, also those that Express 5 removed or changed.
import { createServer, type Server } from 'node:http';
import { expectTypeOf } from 'expect-type';
import express from 'express';

const app: express.Application = express();
const whole: express.Express = express();
const router: express.IRouter = express.Router();
const route = app.route('/route');

// Settings, views and properties of an application.
app.set('views', 'views').set('view engine', 'pug').enable('trust proxy').disable('etag');
app.engine('html', render);
function render(path: string, options: object, done: (err: unknown, rendered?: string) => void): void {
  done(null, `${path}${Object.keys(options)}`);
}
expectTypeOf(app.get('env')).toBeAny();
expectTypeOf(app.enabled('etag')).toEqualTypeOf<boolean>();
expectTypeOf(app.settings).toBeAny();
expectTypeOf(app.mountpath).toEqualTypeOf<string | string[]>();
expectTypeOf(app.path()).toEqualTypeOf<string>();
app.render('index', { title: 'a' }, (err, html) => {
  if (err) throw err;
  expectTypeOf(html).toEqualTypeOf<string>();
});
app.on('mount', (parent) => {
  parent.set('mounted', true);
});
const chained: express.Express = express()
  .enable('trust proxy')
  .disable('etag')
  .set('a', 1)
  .engine('html', render);
chained
  .on('mount', () => undefined)
  .use(end)
  .get('/', end);
app.init();
app.defaultConfiguration();
for (const layer of app._router?.stack ?? []) console.log(layer.name, layer.route?.path, layer.regexp);
for (const layer of router.stack)
  console.log(layer.regexp.source, layer.keys.length, layer.route?.stack.length);
for (const { name, handle } of route.stack) console.log(name, handle.length);
expectTypeOf(app.listen(3000, 'localhost', () => undefined)).toEqualTypeOf<Server>();
createServer(app).listen(() => app.emit('listening'));
Object.assign(whole.request, { mark: 1 });
Object.assign(whole.response, { mark: 1 });
Object.assign(express.application, { mark: 1 });
express.request.get = function get(name: string) {
  return this.headers[name.toLowerCase()] as never;
};
express.response.sendStatus = function sendStatus(code) {
  return this.status(code).type('txt').send(String(code));
};

// Middleware of express.
app.use(express.json({ limit: '1mb', strict: false, verify: (_req, _res, body) => body.length }));
app.use(express.urlencoded({ extended: true, parameterLimit: 10 }));
app.use(express.raw({ type: 'application/*' }), express.text({ defaultCharset: 'utf-8' }));
app.use(express.query({}));
app.use(
  '/public',
  express.static('public', {
    dotfiles: 'ignore',
    maxAge: '1d',
    setHeaders: (res, path) => {
      res.setHeader('X-Path', path);
    },
  }),
);

// Members of requests.
app.get('/request/:id', (req, res, next) => {
  req.query = { replaced: 'yes' };
  req.url = '/other';
  expectTypeOf(req.host).toEqualTypeOf<string>();
  expectTypeOf(req.hostname).toEqualTypeOf<string>();
  expectTypeOf(req.accepts('html', 'json')).toEqualTypeOf<string | false>();
  expectTypeOf(req.acceptsLanguages()).toEqualTypeOf<string[]>();
  expectTypeOf(req.subdomains).toEqualTypeOf<string[]>();
  expectTypeOf(req.route).toBeAny();
  const id: string = req.param('id') || req.param('other', 'none');
  const ranges = req.range(1000);
  if (Array.isArray(ranges)) console.log(ranges.type, ranges[0]?.start, id);
  req.app.set('seen', true);
  req.app.get('seen');
  inspect(req.app, res.app);
  req.res?.set('X-A', 'b');
  next();
});
function inspect(...all: express.Application[]): void {
  for (const one of all) one.use('/late', (_req, res) => res.end());
}

// Members of responses.
app.get('/response', (req, res) => {
  res.append('Link', ['<a>', '<b>']).vary('Accept').links({ next: '/2' }).location('/here');
  res.cookie('a', { b: 1 }, { signed: true, maxAge: 1000, sameSite: 'lax' }).clearCookie('c', { path: '/' });
  res.format({
    html: () => res.send('<p>'),
    'text/plain': () => res.send('x'),
    default: () => res.sendStatus(406),
  });
  res.attachment('a.pdf').type('pdf').contentType('pdf').header('X-B', ['1', '2']);
  res.download('/a', 'b', (err) => console.log(err));
  res.sendFile('/a', { root: '/', headers: { 'x-a': 'b' }, dotfiles: 'allow' }, (err) => console.log(err));
  res.redirect('back');
  res.redirect(301, '/there');
  res.render('index', { title: 'a' });
  res.render('index', (err: Error, html: string) => res.send(err ? err.message : html));
  expectTypeOf(res.get('X-A')).toEqualTypeOf<string | undefined>();
  expectTypeOf(res.headersSent).toEqualTypeOf<boolean>();
  expectTypeOf(res.charset).toEqualTypeOf<string>();
  expectTypeOf(res.req.path).toEqualTypeOf(req.path);
  res.jsonp({ a: 1 });
});

// Members that Express 4 deprecated.
app.get('/deprecated', (_req, res) => {
  res.redirect('/there', 302);
  res.sendfile('/a');
  res.sendfile('/a', { maxAge: 1000 });
  res.sendfile('/a', (err) => console.log(err));
  res.sendfile('/a', { root: '/' }, (err) => console.log(err));
});
app.param((_name, pattern) => (_req, _res, next, value) => next(pattern.test(value) ? undefined : 'route'));
router.param((name, pattern) => (_req, _res, next, value) => {
  console.log(name, pattern.exec(value));
  next();
});

// Route methods for rare HTTP methods.
app.checkout('/', end).copy('/', end).lock('/', end).merge('/', end).mkactivity('/', end).mkcol('/', end);
app.move('/', end)['m-search']('/', end).notify('/', end).purge('/', end).report('/', end).search('/', end);
app
  .subscribe('/', end)
  .trace('/', end)
  .unlock('/', end)
  .unsubscribe('/', end)
  .link('/', end)
  .unlink('/', end);
app.propfind('/', end).proppatch('/', end);
function end(_req: express.Request, res: express.Response): void {
  res.end();
}

export { app as default, router };
