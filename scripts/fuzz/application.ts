/**
 * What the fuzzer plays to: one application that uses every room, as a scenario, so that an implementation of the parity
 * harness can build it; and a monitor of that implementation's event loop.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs';
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import cookieParser from 'cookie-parser';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { get } from '../../parity/client/request';
import { type Kit, scenario } from '../../parity/scenario/scenario';

export const UNDER_FUZZ = 'an application that uses every room';
export const MONITOR = 'how long the event loop was kept';

/** How long the event loop was kept since the last question, in milliseconds. */
export interface Delays {
  /** The longest stretch in which this process itself used the processor: another's use of it does not count. */
  readonly own: number;
  /** As the clock saw it. */
  readonly longest: number;
  readonly p99: number;
}

export default [
  scenario({ name: UNDER_FUZZ, clauses: ['F-0-01'], build, requests: [get('/')] }),
  scenario({ name: MONITOR, clauses: ['F-0-01'], build: monitor, requests: [get('/')] }),
];

function build({ framework, logger, log, files }: Kit) {
  const app = framework();
  app.set('query parser', 'extended').set('trust proxy', 'loopback').set('views', files);
  app.engine('txt', (path, _options, done) => readFile(path, 'utf8', done)).set('view engine', 'txt');
  const format = ':method :url :status :res[content-length] :req[host] :remote-user :referrer :user-agent';
  app.use(logger(format, { stream: log }), cookieParser('secret'));

  app.get('/', (_req, res) => void res.send('hello'));
  app.all('/echo/:a{/:b}', describe);
  app.all(/^\/match-(?<name>\w+)-(\d+)$/, describe);
  app.use('/deep/:mount', framework.Router({ mergeParams: true }).all(['/x{-:y}', '/*rest'], describe));
  for (const parser of ['json', 'urlencoded', 'text', 'raw'] as const) {
    app.all(`/${parser}`, framework[parser]({ limit: '1mb' }), tellBody);
  }
  app.all('/form', framework.urlencoded({ limit: '1mb', extended: true }), tellBody);
  app.use(
    '/static',
    framework.static(files, { dotfiles: 'allow' }),
    framework.static(files, { fallthrough: false }),
  );
  app.get('/file/*path', (req, res, next) => res.sendFile(String(req.params.path), { root: files }, next));
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
  app.use(tellError);
  return app;
}

const describe: RequestHandler = (req, res) => void res.json(membersOf(req));

function membersOf(req: Request): object {
  return {
    ...{
      url: req.url,
      originalUrl: req.originalUrl,
      baseUrl: req.baseUrl,
      path: req.path,
      params: req.params,
    },
    ...{ query: req.query, cookies: req.cookies, signed: req.signedCookies, xhr: req.xhr, fresh: req.fresh },
    ...{ ip: req.ip, ips: req.ips, protocol: req.protocol, host: req.host, hostname: req.hostname },
    ...{ subdomains: req.subdomains, is: req.is(['json', 'html', 'text/*']), range: req.range(1000) },
    ...{
      types: req.accepts(),
      best: req.accepts(['json', 'html', 'image/png']),
      charsets: req.acceptsCharsets(),
    },
    ...{
      encodings: req.acceptsEncodings(),
      languages: req.acceptsLanguages(),
      de: req.acceptsLanguages('de', 'en'),
    },
  };
}

const tellBody: RequestHandler = (req, res) => {
  const { body } = req as { body: unknown };
  res.json({ kind: typeof body, body: tell(Buffer.isBuffer(body) ? body.toString('latin1') : body) });
};

/** What is long is told in short: telling it is not what is measured. */
function tell(body: unknown): unknown {
  if (typeof body === 'string' && body.length > LONG) {
    return `${body.length} characters, ${createHash('sha1').update(body).digest('hex')}`;
  }
  if (typeof body !== 'object' || body === null) return body;
  const names = Object.keys(body);
  return names.length > LONG ? `${names.length} members, the last ${names.at(-1)}` : body;
}
const LONG = 2000;

/** A server's own mistakes are told by name alone: their wording is not promised. */
const tellError: ErrorRequestHandler = (err, _req, res, next) => {
  if (res.headersSent) return next(err);
  const status = err.status >= 400 && err.status < 600 ? err.status : 500;
  res.status(status).json({ type: err.type ?? err.name, message: status < 500 ? err.message : err.code });
};

/** Milliseconds between two looks at the clock. */
const BEAT = 5;

function monitor() {
  const histogram = monitorEventLoopDelay({ resolution: BEAT });
  histogram.enable();
  let own = 0;
  let last = { at: performance.now(), used: process.cpuUsage() };
  const timer = setInterval(() => {
    const now = { at: performance.now(), used: process.cpuUsage() };
    const used = (now.used.user + now.used.system - last.used.user - last.used.system) / 1000;
    own = Math.max(own, Math.min(now.at - last.at, used));
    last = now;
  }, BEAT);
  const server = createServer((_req, res) => {
    const [longest, p99] = [histogram.max / 1e6, histogram.percentile(99) / 1e6];
    res.end(JSON.stringify({ own, longest, p99 } satisfies Delays));
    own = 0;
    histogram.reset();
  });
  return server.on('close', () => clearInterval(timer));
}
