/** What a program may and may not write with the middleware of `nozomi/legacy`. §9.3 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expectTypeOf } from 'expect-type';
import legacy from 'nozomi/legacy';

type Middleware = (req: IncomingMessage, res: ServerResponse, next: (err?: unknown) => void) => void;

const app = legacy();

// Every one is what an application takes, and what node:http can be made to take.
app
  .use(legacy.logger('dev'))
  .use(legacy.logger({ format: ':method', immediate: true }))
  .use(legacy.compress({ level: 9, threshold: '1kb' }))
  .use(legacy.favicon())
  .use(legacy.limit('5mb'))
  .use(legacy.bodyParser({ uploadDir: 'uploads', keepExtensions: true, limit: '10mb', strict: true }))
  .use(legacy.json({ reviver: (_key, value) => value }))
  .use(legacy.urlencoded({ extended: false }))
  .use(legacy.multipart({ defer: true, maxFiles: 3 }))
  .use(legacy.methodOverride('verb'))
  .use(legacy.cookieParser('secret'))
  .use(legacy.cookieSession({ key: 'own.sess', cookie: { maxAge: 1000 }, proxy: true }))
  .use(legacy.session({ secret: ['new', 'old'], store: new legacy.session.MemoryStore() }))
  .use(legacy.csrf({ value: (req) => req.headers['x-own'] }))
  .use(legacy.query())
  .use(legacy.responseTime((_req, res, time) => res.setHeader('X-Took', time)))
  .use(legacy.timeout('5s', { respond: false }))
  .use(legacy.vhost('*.own.test', createServer()))
  .use(legacy.vhost(/own/, app))
  .use('/files', legacy.directory('files', { filter: (name) => name !== 'secret', icons: true }))
  .use('/files', legacy.static('files', { maxAge: '1d', hidden: true }))
  .use(legacy.staticCache())
  .use(legacy.errorHandler({ log: (_err, text) => expectTypeOf(text).toEqualTypeOf<string>() }));
expectTypeOf(legacy.basicAuth('tj', 'secret')).toEqualTypeOf<Middleware>();

// The parameters of a callback need no types of their own.
legacy.basicAuth((user, pass) => {
  expectTypeOf({ user, pass }).toEqualTypeOf<{ user: string; pass: string }>();
  return true;
}, 'Realm');
legacy.basicAuth((user, _pass, done) => done(null, { name: user }));
legacy.basicAuth(async (user) => user === 'tj');

// @ts-expect-error a name alone
legacy.basicAuth('tj');
// @ts-expect-error milliseconds are a number
legacy.cookieSession({ cookie: { maxAge: '1 hour' } });
// @ts-expect-error no such option
legacy.multipart({ maxSize: 3 });
// @ts-expect-error one name for each algorithm
legacy.multipart({ hash: true });
// @ts-expect-error a root is needed
legacy.static();
