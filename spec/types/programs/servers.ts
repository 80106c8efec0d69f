// Applications as parameters and return values, with servers, settings, engines and locals.
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express, { type Application, type Express } from 'express';
import type * as core from 'express-serve-static-core';

export function createApp(settings: Record<string, unknown> = {}): Express {
  const app = express();
  for (const [name, value] of Object.entries(settings)) app.set(name, value);
  return app;
}

export const build = (): ReturnType<typeof express> => express();
export const start = (app: Application, port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = app.listen(port, (err?: Error) => (err ? reject(err) : resolve(server)));
  });

class Service {
  public app: express.Application;
  private server?: Server;
  constructor(modules: Array<(app: core.Express) => void> = []) {
    this.app = express();
    for (const add of modules) add(this.app as core.Express);
  }
  listen(): void {
    this.server = this.app.listen(0, '127.0.0.1', 511, () => {
      const address = this.server?.address() as AddressInfo | null;
      console.log(`listening on ${address?.port}`);
    });
  }
}
new Service([(app) => app.disable('x-powered-by')]).listen();

const app = createApp({ 'trust proxy': 1 });
createServer(app).listen(process.env.PORT || 3000);
createServer({ keepAlive: true }, app).on('error', (err: NodeJS.ErrnoException) => console.error(err.code));
createSecureServer({ key: '', cert: '' }, app);
const listener: RequestListener = app;
createServer((req, res) => app(req, res));
createServer(listener);

app.set('views', join(process.cwd(), 'views'));
app.set('view engine', 'ejs');
app.engine('html', (path, options, callback) => callback(null, path + Object.keys(options)));
app.locals.title = 'Books';
app.enable('strict routing').set('etag', 'strong');
app.set('query parser', (text: string) => Object.fromEntries(new URLSearchParams(text)));
app.use(
  '/assets',
  express.static('public', {
    maxAge: '1d',
    index: false,
    setHeaders: (res, path) => res.set('X-Path', path),
  }),
);
app.use(
  express.urlencoded({ extended: true }),
  express.text(),
  express.raw({ type: 'image/*', limit: '5mb' }),
);
app.use(express.json({ verify: (_req, _res, raw: Buffer) => void raw.length }));
app.render('home', { title: 'x' }, (err, html) => console.log(err, html));
const admin: express.Express = express();
app.use('/admin', admin);
console.log(admin.mountpath, app.path(), app.get('env'), app.enabled('etag'));
