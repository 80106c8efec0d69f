/**
 * The changes from Express 4 to 5. Each names the clauses of spec/express4.json that no longer hold, and the code that
 * keeps the behaviour of Express 4. Reports that compare Express 4 with Express 5 print the change and the code.
 */
import { STATUS_CODES } from 'node:http';
import type { Difference } from '../judge/compare';

export interface Move {
  /** The ids of the clauses in spec/express4.json that no longer hold in Express 5. */
  readonly clauses: readonly string[];
  /** The behaviour of Express 5, such as: `app.del` is removed. */
  readonly changes: string;
  /** The code that keeps the behaviour of Express 4. */
  readonly line: string;
  /** Set if the line, placed after the creation of the application, restores the behaviour for all routes. */
  readonly isSetup?: true;
  /** Replacements that rewrite the test application of a clause for Express 5, by clause id. */
  readonly rewritten?: Readonly<Record<string, ReadonlyArray<readonly [from: string | RegExp, to: string]>>>;
  /** Patterns that recognise the change in the report on an application. */
  readonly sign?: Sign;
}

interface Sign {
  /**
   * Matches an error of Express 5 at any place, such as `built`, a body or standard error. If it is set, the other
   * patterns are ignored.
   */
  readonly error?: RegExp;
  /** Matches the place of the difference; default: the body of a response. */
  readonly place?: RegExp;
  readonly expected?: RegExp;
  readonly actual?: RegExp;
  /** Matches the target of the request: path and query. */
  readonly target?: RegExp;
}

/** Matches the body that Express 4 sends for `res.send(404)`: the reason phrase, or nothing if there is none. */
const REASON = new RegExp(`^(${Object.values(STATUS_CODES).join('|')})?$`);
const STAY = "require('nozomi/4') for the part of the application that needs it";

const OF_APPLICATION: readonly Move[] = [
  {
    clauses: ['E4-A19', 'E4-A33', 'E4-A34'],
    changes: '`app.del` is removed',
    line: 'app.delete(path, handler)',
    rewritten: { 'E4-A19': [['app.del(', 'app.delete(']] },
    sign: { error: /\bdel is not a function/ },
  },
  {
    clauses: ['E4-A20'],
    changes: '`app.param(fn)` is removed',
    line: 'app.param(name, (req, res, next, value) => { … }) for each parameter',
    sign: { error: /argument name must be a string|invalid param\(\) call/ },
  },
  {
    clauses: ['E4-A21'],
    changes: '`app.param` no longer ignores a colon before the name of a parameter',
    line: "app.param('id', callback)",
    rewritten: { 'E4-A21': [["app.param(':id'", "app.param('id'"]] },
  },
  {
    clauses: ['E4-A22', 'E4-A24', 'E4-A25', 'E4-A26', 'E4-A28'],
    changes:
      'the errors for invalid arguments have other messages; some paths that Express 4 refuses are allowed',
    line: 'a function for each handler, text or a regular expression for each path',
    sign: { error: /argument (handler|fn) (is required|must be a function)/ },
  },
  {
    clauses: ['E4-A27'],
    changes: 'a route without a handler throws',
    line: 'app.get(path, (req, res, next) => next())',
    rewritten: {
      'E4-A27': [
        ["app.get('/x', [])", "app.get('/x', (q, s, n) => n())"],
        ["app.post('/y')", "app.post('/y', (q, s, n) => n())"],
        ['app._router.stack.length', 'app.router.stack.length + 2'],
      ],
    },
  },
  {
    clauses: ['E4-A11', 'E4-A12', 'E4-A13', 'E4-A14', 'E4-A18'],
    changes: '`app._router` is removed; `app.router` has no layers `query` and `expressInit`',
    line: 'app.router.stack',
    sign: { error: /lazyrouter is not a function|\((reading|evaluating) 'stack'\)|_router/ },
  },
  {
    clauses: ['E4-C6', 'E4-C7', 'E4-C8', 'E4-C9', 'E4-C24'],
    changes: 'layers and routes have other members: no `regexp`, no `keys`, no `handle_request`',
    line: STAY,
  },
  {
    clauses: ['E4-A1', 'E4-A2'],
    changes: '`express.query` is removed',
    line: "app.set('query parser', 'extended')",
    sign: { error: /express\.query is not a function/ },
  },
  {
    clauses: ['E4-A3', 'E4-A5', 'E4-A6', 'E4-A7', 'E4-A8', 'E4-A9', 'E4-A17'],
    changes: 'members of the module, of routers and of applications differ',
    line: STAY,
  },
  {
    clauses: ['E4-A4', 'E4-F20', 'E4-F31', 'E4-H1'],
    changes: 'file types follow the current registry (text/javascript), and charsets are in lower case',
    line: "express.static(folder, { setHeaders: (res, path) => path.endsWith('.js') && res.set('Content-Type', 'application/javascript; charset=UTF-8') }); in a handler: res.sendFile(path, { headers: { 'Content-Type': 'application/javascript; charset=UTF-8' } })",
    rewritten: {
      'E4-H1': [
        [
          'express.static(dir)',
          "express.static(dir, { setHeaders: (s, p) => { const t = { '.js': 'application/javascript', '.mjs': 'application/javascript', '.json': 'application/json', '.txt': 'text/plain' }[path.extname(p)]; if (t) s.setHeader('Content-Type', t + '; charset=UTF-8'); } })",
        ],
      ],
    },
    sign: {
      place: /\.headers\.content-type$/,
      expected: /application\/javascript|charset=UTF-8/,
      actual: /text\/javascript|charset=utf-8/,
    },
  },
  {
    clauses: ['E4-F41'],
    changes: '`res.format` finds the type of an extension in the current registry',
    line: "res.format({ 'application/javascript': handler })",
    rewritten: { 'E4-F41': [['{ js: ', "{ 'application/javascript': "]] },
  },
  {
    clauses: ['E4-A29'],
    changes: 'the callback of `app.listen` receives the error if listening fails',
    line: 'app.listen(port).on("listening", callback)',
    rewritten: {
      'E4-A29': [
        [
          "app.listen(other.address().port, (e) => { called = e ? e.code : 'listening'; })",
          "app.listen(other.address().port).on('listening', () => { called = 'listening'; })",
        ],
      ],
    },
  },
  {
    clauses: ['E4-A30', 'E4-A31'],
    changes: '`app.render` has default options, and copies only own members of its options',
    line: 'app.render(name, { inherited: options.inherited }, callback)',
  },
  {
    clauses: ['E4-A32'],
    changes: 'an unhandled error is printed with its members and its cause',
    line: "app.set('env', 'test').use((err, req, res, next) => { console.error(err.stack || err.toString()); next(err); })",
    rewritten: {
      'E4-A32': [
        [
          "await hit('/')",
          "app.set('env', 'test').use((err, req, res, next) => { console.error(err.stack || err.toString()); next(err); }); await hit('/')",
        ],
      ],
    },
  },
];

const OF_PATHS: readonly Move[] = [
  {
    clauses: ['E4-B9', 'E4-B10', 'E4-B11', 'E4-B12', 'E4-B32', 'E4-C13', 'E4-C21'],
    changes: '`*` needs a name, and its value is an array of segments',
    line: 'app.get(/^\\/files\\/(.*)$/, handler), with req.params[0]; or /files/*path',
    rewritten: {
      'E4-B10': [
        ["match('*'", 'match(/^(.*)$/'],
        ["match('/*'", 'match(/^\\/(.*)$/'],
      ],
      'E4-B12': [
        ["'/api/*.*'", '/^\\/api\\/(.*)\\.(.*)\\/?$/i'],
        ["'/:a/*/:b/*'", '/^\\/(?<a>[^/]+?)\\/(.*)\\/(?<b>[^/]+?)\\/(.*)\\/?$/i'],
      ],
      'E4-C21': [["app.options('*'", 'app.options(/^(.*)$/']],
    },
    sign: { error: /Missing parameter name at index \d+/ },
  },
  {
    clauses: ['E4-B3', 'E4-B4', 'E4-B13', 'E4-B16', 'E4-B33'],
    changes: '`?` after a name throws; a missing parameter is no member of `req.params`',
    line: "app.get('/user/:id{/:op}', handler)",
    sign: { error: /Unexpected \? at index \d+/ },
  },
  {
    clauses: ['E4-B2', 'E4-B5', 'E4-B6', 'E4-B7', 'E4-B8', 'E4-B17', 'E4-B18', 'E4-B40'],
    changes: 'parentheses in a path throw',
    line: 'app.get(/^\\/(?<id>\\d+)\\/?$/i, handler)',
    rewritten: {
      'E4-B5': [
        ["'/:id(\\\\d+)'", '/^\\/(?<id>\\d+)\\/?$/i'],
        ["'/:id([a-z]{2,3})'", '/^\\/(?<id>[a-z]{2,3})\\/?$/i'],
        ["'/:a(x|y)/z'", '/^\\/(?<a>x|y)\\/z\\/?$/i'],
      ],
    },
    sign: { error: /Unexpected \( at index \d+/ },
  },
  {
    clauses: ['E4-B15', 'E4-B19', 'E4-B20', 'E4-B21', 'E4-B25', 'E4-B26', 'E4-B39'],
    changes: 'in a path, `?`, `+`, `|`, `[…]` and `\\d` are no longer patterns; `{…}` and `*name` are',
    line: 'app.get(/^\\/ab?cd\\/?$/i, handler)',
    rewritten: {
      'E4-B20': [["'/a|/b'", '/^\\/a|\\/b\\/?$/i']],
    },
    sign: { error: /Unexpected [+[\]!{}] at index \d+/ },
  },
  {
    clauses: ['E4-B27', 'E4-B28', 'E4-B31'],
    changes: 'a regular expression is copied; a group that did not match is no member of `req.params`',
    line: 'req.params[1] ?? undefined, and a regular expression without the flags g and y',
  },
  {
    clauses: ['E4-B35', 'E4-B36'],
    changes: '`req.params` has no prototype',
    line: 'Object.hasOwn(req.params, name)',
    sign: { error: /params\.\w+ is not a function/ },
  },
];

const OF_STACK: readonly Move[] = [
  {
    clauses: ['E4-C1', 'E4-C2'],
    changes: 'if the promise of a handler rejects, the error handlers run',
    line: '(req, res, next) => { void work(req, res); }, which returns no promise',
    rewritten: {
      'E4-C1': [
        [
          "async () => { throw new Error('lost'); }",
          "() => { void (async () => { throw new Error('lost'); })(); }",
        ],
      ],
      'E4-C2': [
        [
          "async () => { throw new Error('lost'); }",
          "() => { void (async () => { throw new Error('lost'); })(); }",
        ],
      ],
    },
    sign: { place: /^\d+\.status$/, expected: /^\(absent\)$/, actual: / 5\d\d / },
  },
  {
    clauses: ['E4-C3', 'E4-C4'],
    changes: 'the automatic response to OPTIONS lists the methods sorted and as plain text',
    line: "app.options(path, (req, res) => res.set('Allow', 'PUT,GET,HEAD').send('PUT,GET,HEAD'))",
    rewritten: {
      'E4-C3': [
        [
          "const r = await hit('OPTIONS /')",
          "app.options('/', (req, res) => res.set('Allow', 'PUT,GET,HEAD').send('PUT,GET,HEAD')); const r = await hit('OPTIONS /')",
        ],
      ],
    },
    sign: {
      place: /^\d+\.(headers\.(allow|content-type)|body)$/,
      expected: /^([A-Z]+(,[A-Z]+)*|text\/html; charset=utf-8)$/,
      actual: /^([A-Z]+(, [A-Z]+)*|text\/plain)$/,
    },
  },
  {
    clauses: ['E4-C5'],
    changes: '`router.handle` needs a callback',
    line: 'router(req, res, (err) => { … })',
    rewritten: { 'E4-C5': [['{ out = t; } })', '{ out = t; } }, () => {})']] },
    sign: { error: /argument callback is required/ },
  },
  {
    clauses: ['E4-C23'],
    changes: 'a parameter callback receives the number of an unnamed group as a string',
    line: "app.param('0', (req, res, next, value, name) => callback(req, res, next, value, Number(name)))",
  },
  {
    clauses: ['E4-C25'],
    changes: 'handlers for other methods do not count towards the 100 after which `next` continues later',
    line: '(req, res, next) => setImmediate(next)',
  },
  {
    clauses: ['E4-C10'],
    changes: 'a `req.url` that middleware changes below a mount path keeps its first character',
    line: 'req.url = req.url.slice(1)',
    rewritten: { 'E4-C10': [["req.url = '/bar'", "req.url = '/bar'.slice(1)"]] },
  },
];

const OF_REQUESTS: readonly Move[] = [
  {
    clauses: ['E4-A10', 'E4-A16', 'E4-C20', 'E4-D1', 'E4-D5'],
    changes:
      '`query parser` is `simple`: it does not parse names with brackets; each application parses the query itself',
    line: "app.set('query parser', 'extended')",
    isSetup: true,
    sign: { target: /\?.*(\[|%5B)/i },
  },
  {
    clauses: ['E4-D2'],
    changes: 'query values with an index above 20, such as `b[21]=x`, become an object, not an array',
    line: "app.set('query parser', (text) => qs.parse(text, { allowPrototypes: true, arrayLimit: 1000 }))",
  },
  {
    clauses: ['E4-D3', 'E4-E1', 'E4-E2', 'E4-E20'],
    changes: '`req.query` is parsed at each access, and cannot be assigned',
    line: "app.use((req, res, next) => { Object.defineProperty(req, 'query', { value: { ...req.query }, writable: true, enumerable: true, configurable: true }); next(); })",
    isSetup: true,
    sign: { error: /Cannot set property query of/ },
  },
  {
    clauses: ['E4-D7'],
    changes: 'the setting `etag` applies to files, too',
    line: "app.set('etag', 'weak')",
  },
  {
    clauses: ['E4-E4'],
    changes: '`req.param` is removed',
    line: 'req.params.id ?? req.body?.id ?? req.query.id',
    rewritten: {
      'E4-E4': [
        [/q\.param\('(\w+)', ('\w+')\)/g, '(q.params.$1 ?? q.body?.$1 ?? q.query.$1 ?? $2)'],
        [/q\.param\('(\w+)'\)/g, '(q.params.$1 ?? q.body?.$1 ?? q.query.$1)'],
      ],
    },
    sign: { error: /\.param is not a function/ },
  },
  {
    clauses: ['E4-E5', 'E4-E7'],
    changes: '`req.host` includes the port',
    line: 'req.hostname',
    rewritten: { 'E4-E5': [['q.host,', 'q.hostname,']], 'E4-E7': [['q.host]', 'q.hostname]']] },
    sign: {
      place: /^\d+\.(body|headers\.\w+)$/,
      expected: /^(?!.*:\d+)/s,
      actual: /^[^<\n]*\b[\w.-]+:\d+\b[^<\n]*$/,
    },
  },
  {
    clauses: ['E4-E8'],
    changes: '`req.acceptsCharset`, `acceptsEncoding` and `acceptsLanguage` are removed',
    line: 'req.acceptsCharsets(x), req.acceptsEncodings(x), req.acceptsLanguages(x)',
    rewritten: { 'E4-E8': [[/(accepts(?:Encoding|Charset|Language))\(/g, '$1s(']] },
    sign: { error: /accepts(Charset|Encoding|Language) is not a function/ },
  },
  {
    clauses: ['E4-E10', 'E4-E11'],
    changes:
      '`req.accepts` and `req.is` use the current registry of types, and parse malformed types in part',
    line: "req.accepts('application/javascript')",
  },
  {
    clauses: ['E4-E18'],
    changes: 'malformed values of `Accept` headers are not skipped',
    line: STAY,
  },
  {
    clauses: ['E4-E19'],
    changes: 'a malformed range is ignored: `req.range` returns -2, and files are sent whole',
    line: 'if (req.range(size) === -2) res.sendStatus(416)',
  },
  {
    clauses: ['E4-E12', 'E4-H8'],
    changes: '`If-None-Match` takes precedence over `If-Modified-Since`',
    line: "delete req.headers['if-none-match'] in routes for which If-Modified-Since must decide",
  },
];

const OF_RESPONSES: readonly Move[] = [
  {
    clauses: ['E4-F1', 'E4-F2'],
    changes: '`res.status` throws unless the status is an integer from 100 to 999',
    line: 'res.status(Number(code))',
    rewritten: {
      'E4-F1': [
        ["s.status('410')", "s.status(Number('410'))"],
        ['s.status(410.1)', 's.status(Math.floor(410.1))'],
      ],
    },
    sign: { error: /Invalid status code/ },
  },
  {
    clauses: ['E4-F3', 'E4-F4', 'E4-F27'],
    changes: '`res.send(status)` sends the number as JSON; `res.sendStatus` accepts only numbers',
    line: 'res.sendStatus(404)',
    rewritten: {
      'E4-F3': [['s.send(404)', 's.sendStatus(404)']],
      'E4-F4': [['s.send(299)', "s.status(299).type('txt').send('')"]],
      'E4-F27': [["s.sendStatus('404')", "s.sendStatus(Number('404'))"]],
    },
    sign: { place: /^\d+\.body$/, expected: REASON, actual: /^\d{3}$/ },
  },
  {
    clauses: ['E4-F5', 'E4-F6', 'E4-F7', 'E4-F8'],
    changes: '`res.send`, `res.json` and `res.jsonp` accept no status: they send only the first argument',
    line: 'res.status(status).send(body), and the same with json and jsonp',
    rewritten: {
      'E4-F5': [[/s\.send\((\d+), /g, 's.status($1).send(']],
      'E4-F6': [["s.send('bad', 400)", "s.status(400).send('bad')"]],
      'E4-F7': [
        ['s.json(200, 201)', 's.status(201).json(200)'],
        [/s\.json\((\d+), /g, 's.status($1).json('],
        ['s.json({ b: 1 }, 202)', 's.status(202).json({ b: 1 })'],
      ],
      'E4-F8': [
        ['s.jsonp(201, { a: 1 })', 's.status(201).jsonp({ a: 1 })'],
        ['s.jsonp({ b: 1 }, 202)', 's.status(202).jsonp({ b: 1 })'],
      ],
    },
    sign: { place: /^\d+\.body$/, actual: /^\d{3}$/ },
  },
  {
    clauses: ['E4-F9', 'E4-F14'],
    changes: '`res.redirect(url, status)` throws; a URL that is no string is deprecated',
    line: 'res.redirect(status, String(url))',
    rewritten: {
      'E4-F9': [["s.redirect('/x', 301)", "s.redirect(301, '/x')"]],
      'E4-F14': [['s.redirect(undefined)', 's.redirect(String(undefined))']],
    },
    sign: { error: /Url must be a string|Status must be a number/ },
  },
  {
    clauses: ['E4-F10'],
    changes: '`back` has no special meaning in `res.redirect` and `res.location`',
    line: "res.redirect(req.get('Referrer') || '/')",
    rewritten: {
      'E4-F10': [
        ["s.redirect('back')", "s.redirect(q.get('Referrer') || '/')"],
        ["s.location('back')", "s.location(q.get('Referrer') || '/')"],
      ],
    },
    sign: { place: /^\d+\.headers\.location$/, actual: /^back$/ },
  },
  {
    clauses: ['E4-F11'],
    changes: 'the page of a redirect is a complete HTML document',
    line: "res.location(url).status(302).type('html').send('<p>Found. Redirecting to …</p>')",
    sign: {
      place: /^\d+\.body$/,
      expected: /^<p>[\w ]+\. Redirecting to /,
      actual: /^<!DOCTYPE html><head><title>/,
    },
  },
  {
    clauses: ['E4-F16'],
    changes: '`res.vary()` without a header name throws',
    line: "res.vary('Accept')",
    rewritten: { 'E4-F16': [['s.vary(); s.vary([]); ', '']] },
    sign: { error: /field argument is required/ },
  },
  {
    clauses: ['E4-F17', 'E4-F18'],
    changes: '`res.clearCookie` ignores `maxAge` and `expires`; inherited cookie options are ignored',
    line: "res.cookie(name, '', { maxAge: 1000 })",
    rewritten: {
      'E4-F17': [
        ["clearCookie('a', ", "cookie('a', '', "],
        ["clearCookie('b', ", "cookie('b', '', "],
      ],
      'E4-F18': [['Object.create({ httpOnly: true })', '{ httpOnly: true }']],
    },
    sign: {
      place: /\.headers\.set-cookie$/,
      expected: /=; .*Max-Age=/,
      actual: /=; .*Expires=Thu, 01 Jan 1970/,
    },
  },
  {
    clauses: ['E4-F23', 'E4-F24', 'E4-F26', 'E4-F47'],
    changes: '`res.send` does not change the parameters of a type, and accepts a malformed type',
    line: "res.set('Content-Type', 'text/html; charset=utf-8')",
  },
  {
    clauses: ['E4-F25'],
    changes: '`res.send` sends the bytes of a typed array, not JSON',
    line: 'res.json({ ...bytes })',
    rewritten: {
      'E4-F25': [['s.send(new Uint8Array([104, 105]))', 's.json({ ...new Uint8Array([104, 105]) })']],
    },
  },
  {
    clauses: ['E4-F28', 'E4-F38', 'E4-F39'],
    changes: 'file names in `Content-Disposition` have quotes only if they need them',
    line: `res.set('Content-Disposition', 'attachment; filename="a.png"')`,
    rewritten: {
      'E4-F39': [
        [
          "s.download(path.join(dir, 'a.txt'), 'x/y.txt')",
          "s.set('Content-Disposition', 'attachment; filename=\"y.txt\"').sendFile(path.join(dir, 'a.txt'))",
        ],
      ],
    },
    sign: { place: /\.headers\.content-disposition$/, expected: /filename="/, actual: /filename=[^"]/ },
  },
  {
    clauses: ['E4-F30'],
    changes: '`res.links` sends a link for each element of an array',
    line: 'res.links({ next: list.join() })',
    rewritten: { 'E4-F30': [["['/a', '/b']", "['/a', '/b'].join()"]] },
  },
  {
    clauses: ['E4-F32', 'E4-F34', 'E4-F35', 'E4-F37'],
    changes: '`res.sendfile` is removed',
    line: 'res.sendFile(path, { root: folder })',
    sign: { error: /sendfile is not a function/ },
  },
  {
    clauses: ['E4-F33', 'E4-F36', 'E4-H2'],
    changes: 'files in folders whose name begins with a dot are not found; the option `hidden` is removed',
    line: "res.sendFile(path, { root: folder, dotfiles: 'allow' })",
    rewritten: {
      'E4-F33': [["'.dir/a.txt', { root: dir }", "'.dir/a.txt', { root: dir, dotfiles: 'allow' }"]],
      'E4-F36': [['hidden: true', "dotfiles: 'allow'"]],
    },
    sign: { target: /\/\./, place: /^\d+\.status$/, actual: / 404 / },
  },
];

const OF_BODIES: readonly Move[] = [
  {
    clauses: ['E4-G1', 'E4-G2'],
    changes: '`req.body` is undefined if there is nothing to parse',
    line: 'app.use((req, res, next) => { req.body ??= {}; next(); }), before or after the parsers',
    rewritten: {
      'E4-G1': [["app.all('/'", "app.use((q, s, n) => { q.body ??= {}; n(); }); app.all('/'"]],
      'E4-G2': [["app.all('/'", "app.use((q, s, n) => { q.body ??= {}; n(); }); app.all('/'"]],
    },
    sign: { error: /(of undefined|'req\.body')( \(reading|.* as it is undefined)/ },
  },
  {
    clauses: ['E4-G3', 'E4-G4', 'E4-G17'],
    changes: '`req._body` is ignored; a body that other code has read is skipped',
    line: 'app.use((req, res, next) => (req._body ? next() : parse(req, res, next)))',
    rewritten: {
      'E4-G3': [
        [
          'app.use(express.json())',
          'const parse = express.json(); app.use((q, s, n) => (q._body ? n() : parse(q, s, n)))',
        ],
      ],
    },
  },
  {
    clauses: ['E4-G5', 'E4-G6'],
    changes: '`express.urlencoded()` is not extended by default; `extended: false` decodes as `true` does',
    line: 'express.urlencoded({ extended: true })',
    rewritten: { 'E4-G5': [['express.urlencoded()', 'express.urlencoded({ extended: true })']] },
  },
  {
    clauses: ['E4-G8', 'E4-G9', 'E4-G10', 'E4-G16'],
    changes: 'forms in ISO-8859-1, bodies in UTF-32 or Brotli, and bodies with a malformed type are parsed',
    line: "express.json({ type: (req) => req.headers['content-type'] === 'application/json' })",
  },
];

export const MOVES: readonly Move[] = [
  ...OF_APPLICATION,
  ...OF_PATHS,
  ...OF_STACK,
  ...OF_REQUESTS,
  ...OF_RESPONSES,
  ...OF_BODIES,
];

/** Returns the change for a clause; undefined if the clause holds in Express 4 and 5. */
export function moveOf(clause: string): Move | undefined {
  return MOVES.find(({ clauses }) => clauses.includes(clause));
}

/**
 * Finds the change that explains a difference of an application.
 *
 * @param target The target of the request: path and query.
 * @returns Undefined if no change explains the difference.
 */
export function recogniseMove({ place, expected, actual }: Difference, target = ''): Move | undefined {
  const byError = MOVES.find(({ sign }) => sign?.error?.test(actual) && !sign.error.test(expected));
  if (byError) return byError;
  return MOVES.find(({ sign }) => {
    return (
      sign !== undefined &&
      sign.error === undefined &&
      (sign.place?.test(place) ?? /^\d+\.body$/.test(place)) &&
      (sign.expected?.test(expected) ?? true) &&
      (sign.actual?.test(actual) ?? true) &&
      (sign.target?.test(target) ?? true)
    );
  });
}
