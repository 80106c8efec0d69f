// Nozomi with a seeded fault in the application `members`, whose name is in the variable FAULT, and for nozomi/4 in an
// application of Express 4.
const nozomi = require(
  process.env.SERIES === '4' ? '../../../../dist/express4/index.js' : '../../../../dist/index.js',
);

/** Changes the value of a header, or removes it for `undefined`. */
const header = (name, change) => ({
  before: (_req, res) => {
    const set = res.setHeader;
    res.setHeader = function (given, value) {
      if (given.toLowerCase() !== name) return set.call(this, given, value);
      const changed = Array.isArray(value) ? value.map(change) : change(value);
      return changed === undefined ? this : set.call(this, given, changed);
    };
  },
});
/** Changes the value that `res.json` sends for a path. */
const json = (path, change) => ({
  before: (req, res) => {
    if (!path.test(req.url)) return;
    const send = res.json;
    Object.defineProperty(res, 'json', {
      configurable: true,
      writable: true,
      value(value) {
        return send.call(this, change(value) ?? value);
      },
    });
  },
});
const at = (path, before) => ({ before: (req, res) => path.test(req.url) && before(req, res) });
const method = (name, act) => ({
  create(app) {
    const original = app.response[name];
    app.response[name] = function (...args) {
      return act.call(this, (...given) => original.apply(this, given), ...args);
    };
  },
});

/** By name: the fault, the request whose response shows it, and the part of the response. */
const FAULTS = {
  'JSON with one more blank': [
    {
      create(app) {
        const { set } = app;
        app.set = (name, ...rest) =>
          set.call(app, name, ...(name === 'json spaces' && rest.length > 0 ? [2] : rest));
      },
    },
    '/api/me',
    'body',
  ],
  'another page for redirects': [
    method('redirect', (redirect, ...args) =>
      args.length === 2 ? redirect(302, args[1]) : redirect(...args),
    ),
    ...['POST /login', 'status'],
  ],
  'Link without a space': [
    header('link', (value) => value.replace('; ', ';')),
    '/api/notes/',
    'headers.link',
  ],
  'JSONP without nosniff': [
    header('x-content-type-options', () => undefined),
    '/api/limited',
    'headers.x-content-type-options',
  ],
  'a cookie for another path': [
    header('set-cookie', (value) => value.replace('Path=/', 'Path=/;')),
    'GET /login',
    'headers.set-cookie',
  ],
  'one more Vary': [
    method('vary', (vary, name) => vary(name === 'Accept' ? ['Accept', 'Origin'] : name)),
    'GET /account',
    'headers.vary',
  ],
  'strong ETags': [{ create: (app) => void app.set('etag', 'strong') }, '/api/me', 'headers.etag'],
  'another type for bytes': [
    header('content-type', (value) => value.replace('octet-stream', 'x-bytes')),
    '/random',
    'headers.content-type',
  ],
  'a cookie that expires tomorrow': [
    header('set-cookie', (value) => value.replace('Thu, 01 Jan 1970', 'Fri, 02 Jan 1970')),
    ...['POST /logout', 'headers.set-cookie'],
  ],
  'a charset for JSON in upper case': [
    header('content-type', (value) => value.replace('json; charset=utf-8', 'json; charset=UTF-8')),
    '/api/me',
    'headers.content-type',
  ],
  'an unsigned cookie': [
    header('set-cookie', (value) => value.replace(/^(seen=)s%3A(\d+)\.[^;]+/, '$1$2')),
    'GET /login',
    'headers.set-cookie',
  ],
  'a signature that is cut': [
    header('set-cookie', (value) => value.replace(/^(seen=s%3A\d+)\.[^;]+/, '$1.x')),
    'GET /login',
    'headers.set-cookie',
  ],
  'a cookie without HttpOnly': [
    header('set-cookie', (value) => value.replace(/^(sid=.*); HttpOnly/, '$1')),
    'GET /login',
    'headers.set-cookie',
  ],
  'an address without its prefix': [
    { create: (app) => Object.defineProperty(app.request, 'ip', { get: () => '10.0.0.1' }) },
    ...['/echo', 'body'],
  ],
  'one row of a compressed page': [
    json(/^\/report/, (rows) => rows.map((row) => (row.row === 1999 ? { ...row, even: true } : row))),
    '/report',
    'body',
  ],
  'a blank less in the third event': [
    at(/^\/events/, (_req, res) => {
      const { write } = res;
      let count = 0;
      res.write = (chunk, ...rest) =>
        write.call(res, ++count === 3 ? String(chunk).replace('id: ', 'id:') : chunk, ...rest);
    }),
    ...['/events', 'body'],
  ],
  'a chunked file': [
    at(/^\/file/, (_req, res) => {
      const { writeHead } = res;
      res.writeHead = function (...args) {
        this.removeHeader('Content-Length');
        return writeHead.apply(this, args);
      };
    }),
    ...['GET /file', 'framing'],
  ],
  'a connection that closes after an error': [
    at(/^\/fails/, (_req, res) => res.setHeader('Connection', 'close')),
    ...['/fails', 'connection'],
  ],
  'one more line of output': [at(/^\/xml/, () => console.log('debug')), 'what it writes', 'stdout'],
  'a session that is lost': [
    at(/^\/account/, (req) => Reflect.deleteProperty(req.headers, 'cookie')),
    'GET /account',
    'status',
  ],
  'ids without dashes': [
    header('x-request-id', (value) => value.replaceAll('-', '')),
    '/xml',
    'headers.x-request-id',
  ],
  'an id that is cut': [
    header('x-request-id', (value) => value.slice(0, 35)),
    '/xml',
    'headers.x-request-id',
  ],
  'uploads in another order': [
    json(/^\/upload/, ({ files, ...rest }) => files && { ...rest, files: files.toReversed() }),
    '/upload',
    'body',
  ],
  'a receipt that never changes': [
    json(/^\/upload/, (value) => value.receipt && { ...value, receipt: '0000000000000000' }),
    '/upload',
    'body',
  ],
  'a time as text': [
    json(/^\/account/, (value) => value.at && { ...value, at: String(value.at) }),
    'GET /account',
    'body',
  ],
};

module.exports = withFault(FAULTS[process.env.FAULT]?.[0]);
module.exports.FAULTS = FAULTS;

function withFault(fault) {
  if (!fault) return nozomi;
  const framework = () => {
    const app = nozomi();
    fault.create?.(app);
    if (fault.before)
      app.use((req, res, next) => {
        fault.before(req, res);
        next();
      });
    return app;
  };
  return Object.assign(framework, nozomi);
}
