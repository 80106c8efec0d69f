/** Types of the middleware of `nozomi/3`, in valid and invalid calls (§9.3). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expectTypeOf } from 'expect-type';
import express3 from 'nozomi/3';

type Middleware = (req: IncomingMessage, res: ServerResponse, next: (err?: unknown) => void) => void;

const app = express3();

// Applications accept each middleware. `vhost` accepts a server and an application.
app
  .use(express3.logger('dev'))
  .use(express3.logger({ format: ':method', immediate: true }))
  .use(express3.compress({ level: 9, threshold: '1kb' }))
  .use(express3.favicon())
  .use(express3.limit('5mb'))
  .use(express3.bodyParser({ uploadDir: 'uploads', keepExtensions: true, limit: '10mb', strict: true }))
  .use(express3.json({ reviver: (_key, value) => value }))
  .use(express3.urlencoded({ extended: false }))
  .use(express3.multipart({ defer: true, maxFiles: 3 }))
  .use(express3.methodOverride('verb'))
  .use(express3.cookieParser('secret'))
  .use(express3.cookieSession({ key: 'own.sess', cookie: { maxAge: 1000 }, proxy: true }))
  .use(express3.session({ secret: ['new', 'old'], store: new express3.session.MemoryStore() }))
  .use(express3.csrf({ value: (req) => req.headers['x-own'] }))
  .use(express3.query())
  .use(express3.responseTime((_req, res, time) => res.setHeader('X-Took', time)))
  .use(express3.timeout('5s', { respond: false }))
  .use(express3.vhost('*.own.test', createServer()))
  .use(express3.vhost(/own/, app))
  .use('/files', express3.directory('files', { filter: (name) => name !== 'secret', icons: true }))
  .use('/files', express3.static('files', { maxAge: '1d', hidden: true }))
  .use(express3.staticCache())
  .use(express3.errorHandler({ log: (_err, text) => expectTypeOf(text).toEqualTypeOf<string>() }));
expectTypeOf(express3.basicAuth('tj', 'secret')).toEqualTypeOf<Middleware>();

// TypeScript infers the parameters of callbacks.
express3.basicAuth((user, pass) => {
  expectTypeOf({ user, pass }).toEqualTypeOf<{ user: string; pass: string }>();
  return true;
}, 'Realm');
express3.basicAuth((user, _pass, done) => done(null, { name: user }));
express3.basicAuth(async (user) => user === 'tj');

// @ts-expect-error the password is missing
express3.basicAuth('tj');
// @ts-expect-error maxAge must be a number of milliseconds
express3.cookieSession({ cookie: { maxAge: '1 hour' } });
// @ts-expect-error the option does not exist
express3.multipart({ maxSize: 3 });
// @ts-expect-error hash must be the name of an algorithm
express3.multipart({ hash: true });
// @ts-expect-error the root is missing
express3.static();
