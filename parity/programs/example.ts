/** An application that uses most parts of the framework. The fuzzer and the soak test send requests to it. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs';
import cookieParser from 'cookie-parser';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import type { Kit } from '../scenario/scenario';
import { pathIn, type Series } from './program';

/** Paths to request: one or more for each route, and `/none`, which no route matches. */
// biome-ignore format: a table
export const TARGETS = [
  '/', '/echo/a', '/echo/a/b', '/match-ab-12', '/deep/m/x-1', '/deep/m/any/thing', '/json',
  '/urlencoded', '/text', '/raw', '/form', '/static/hello.txt', '/static/', '/static',
  '/file/hello.txt', '/download/a.txt',
  '/view/hello', '/redirect', '/cookie', '/jsonp', '/format', '/fresh', '/none',
];

export function buildExample(
  { framework, logger, log, files }: Pick<Kit, 'framework' | 'logger' | 'log' | 'files'>,
  series: Series = 5,
) {
  const path = (text: string): string => pathIn(series, text);
  const app = framework();
  app.set('query parser', 'extended').set('trust proxy', 'loopback').set('views', files);
  app.engine('txt', (path, _options, done) => readFile(path, 'utf8', done)).set('view engine', 'txt');
  const format = ':method :url :status :res[content-length] :req[host] :remote-user :referrer :user-agent';
  app.use(logger(format, { stream: log }), cookieParser('secret'));

  app.get('/', (_req, res) => void res.send('hello'));
  app.all(path('/echo/:a{/:b}'), describe);
  app.all(/^\/match-(?<name>\w+)-(\d+)$/, describe);
  app.use(
    '/deep/:mount',
    framework.Router({ mergeParams: true }).all(['/x{-:y}', '/*rest'].map(path), describe),
  );
  for (const parser of ['json', 'urlencoded', 'text', 'raw'] as const) {
    app.all(`/${parser}`, framework[parser]({ limit: '1mb' }), sendBody);
  }
  app.all('/form', framework.urlencoded({ limit: '1mb', extended: true }), sendBody);
  app.use(
    '/static',
    framework.static(files, { dotfiles: 'allow' }),
    framework.static(files, { fallthrough: false }),
  );
  app.get(path('/file/*path'), (req, res, next) =>
    res.sendFile(String(Object.values(req.params)), { root: files }, next),
  );
  app.get('/download/:name', (req, res, next) =>
    res.download(`${files}/hello.txt`, String(req.params.name), next),
  );
  app.get('/view/:name', (req, res) => res.render(String(req.params.name)));
  app.get('/redirect', (req, res) => res.redirect(String(req.query.to)));
  app.get(
    '/cookie',
    (req, res) => void res.cookie(String(req.query.name), req.query.value, { path: '/' }).end(),
  );
  app.get('/jsonp', (_req, res) => void res.jsonp({ a: '\u2028</script>' }));
  app.get(
    '/format',
    (_req, res) =>
      void res.format({ text: () => res.send('t'), html: () => res.send('<p>'), json: () => res.send({}) }),
  );
  app.get(
    '/fresh',
    (_req, res) => void res.set('Last-Modified', 'Thu, 01 Jan 2026 00:00:00 GMT').send('fresh'),
  );
  app.use(sendError);
  return app;
}

const describe: RequestHandler = (req, res) => void res.json(membersOf(req));

function membersOf(req: Request): object {
  return {
    url: req.url,
    originalUrl: req.originalUrl,
    baseUrl: req.baseUrl,
    path: req.path,
    params: req.params,
    query: req.query,
    cookies: req.cookies,
    signed: req.signedCookies,
    xhr: req.xhr,
    fresh: req.fresh,
    ip: req.ip,
    ips: req.ips,
    protocol: req.protocol,
    host: req.host,
    hostname: req.hostname,
    subdomains: req.subdomains,
    is: req.is(['json', 'html', 'text/*']),
    range: req.range(1000),
    types: req.accepts(),
    best: req.accepts(['json', 'html', 'image/png']),
    charsets: req.acceptsCharsets(),
    encodings: req.acceptsEncodings(),
    languages: req.acceptsLanguages(),
    de: req.acceptsLanguages('de', 'en'),
  };
}

const sendBody: RequestHandler = (req, res) => {
  const { body } = req as { body: unknown };
  res.json({ kind: typeof body, body: summarise(Buffer.isBuffer(body) ? body.toString('latin1') : body) });
};

/**
 * Replaces a long text with its length and digest, and a large object with its number of members and the last name:
 * whole bodies would make the test slow.
 */
function summarise(body: unknown): unknown {
  if (typeof body === 'string' && body.length > LONG) {
    return `${body.length} characters, ${createHash('sha1').update(body).digest('hex')}`;
  }
  if (typeof body !== 'object' || body === null) return body;
  const names = Object.keys(body);
  return names.length > LONG ? `${names.length} members, the last ${names.at(-1)}` : body;
}
const LONG = 2000;

/** Sends the type of an error and its message. For a server error it sends the code instead: the message may differ. */
const sendError: ErrorRequestHandler = (err, _req, res, next) => {
  if (res.headersSent) return next(err);
  const status = err.status >= 400 && err.status < 600 ? err.status : 500;
  res.status(status).json({ type: err.type ?? err.name, message: status < 500 ? err.message : err.code });
};
