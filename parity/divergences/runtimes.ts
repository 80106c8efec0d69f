/** The differences of Bun, Deno and workerd, by scenario. docs/runtimes.md lists them. */
import type { RuntimeDivergence } from './divergence';

const BOTH = ['fetch', 'create'] as const;
const ANY = /^/;
/** Matches the places of an error that the application shows. */
const ERROR = /^(\d+\.(body|headers\.(content-length|etag))|stderr\.\d+)$/;

export const RUNTIME_DIVERGENCES: readonly RuntimeDivergence[] = [
  {
    id: 'messages',
    runtimes: ['Bun'],
    transports: BOTH,
    differs: 'Messages of errors that JavaScript throws, such as those of `JSON.parse`.',
    why: 'Bun runs JavaScriptCore, not V8.',
    scenarios: [
      '7-errors/7-hostile-responses: response methods respond to invalid values as Express does*',
      '9-express4/a-application: `app.render(name, undefined, callback)` fails*',
      '9-express4/g-bodies: JSON errors*',
      '9-express4/g-bodies: An empty body of a length of zero*',
    ],
    places: ERROR,
  },
  {
    id: 'call-sites',
    runtimes: ['Bun', 'workerd'],
    transports: BOTH,
    differs: 'Some deprecation warnings are not repeated for a second place in the code.',
    why: 'depd tells places apart by the stack. JavaScriptCore has no frames for tail calls, and a Worker is one file.',
    scenarios: [
      '9-express3/9.3-response: res.jsonp calls the callback that the query names*',
      '9-express3/9.3-response: res.headerSent and the event header still work*',
      'logger/4-functions: logger warns of each deprecated kind of arguments*',
    ],
    places: /^deprecations\.\d+$/,
  },
  {
    id: 'file-errors',
    runtimes: ['Deno', 'workerd'],
    transports: BOTH,
    differs: 'Errors of `node:fs` have a stack, and in workerd another message.',
    why: 'In Node.js, asynchronous errors of `node:fs` have no stack.',
    scenarios: ['9-express3/9.3-files: *'],
    places: ERROR,
  },
  {
    id: 'proto',
    runtimes: ['Deno'],
    transports: BOTH,
    differs: 'The packages serve-index and ejs-locals fail.',
    why: 'They assign `__proto__`, which Deno has removed.',
    scenarios: [
      '9-express3/9.3-served-files: directory *',
      '9-express3/published: the package ejs-locals runs its application*',
    ],
    places: ANY,
  },
  {
    id: 'compressed',
    runtimes: ['Deno'],
    transports: BOTH,
    differs: 'Compressed bodies have other bytes; they expand to the same text.',
    why: '`node:zlib` of Deno is another implementation.',
    scenarios: ['9-express3/9.3-middleware: compress sends gzip, deflate or plain text*'],
    places: /^\d+\.body$/,
  },
  {
    id: 'other-servers',
    runtimes: ['workerd'],
    transports: BOTH,
    differs: 'An application cannot start servers with TLS or on UNIX sockets, nor send requests to them.',
    why: 'In workerd, a server of `node:http` only receives the requests of the Worker.',
    scenarios: [
      '1-execution/1-rules: one application serves HTTP and HTTPS at the same time*',
      '4-endpoints/4.2-listen: *',
    ],
    places: ANY,
  },
  {
    id: 'content-length',
    runtimes: ['workerd'],
    transports: BOTH,
    differs: 'Responses to HEAD, and those with `Trailer`, have a Content-Length.',
    why: 'The class ServerResponse of workerd adds it.',
    scenarios: [
      '1-execution/1-rules: a GET route handles HEAD requests*',
      '4-endpoints/4.3-router: router.get handles HEAD requests*',
      '4-endpoints/4.5-send: res.send responds to HEAD*',
      '9-express3/9.3-request: req.fresh and req.stale*',
      '4-endpoints/4.5-send: response methods of Node.js such as res.write keep their behaviour*',
    ],
    places: /^\d+\.headers\.content-length$|^9\./,
  },
  {
    id: 'percent',
    runtimes: ['workerd'],
    transports: BOTH,
    differs: 'Files with `%` in their name cannot be read.',
    why: '`node:fs` of workerd decodes the path as a URL.',
    scenarios: ['4-endpoints/4.5-file: res.sendFile sends a file with the type of its extension*'],
    places: /^(6\.|stderr\.)/,
  },
  {
    id: 'generated-code',
    runtimes: ['workerd'],
    transports: BOTH,
    differs: 'Packages that compile code from text fail: old template engines and depd 1.',
    why: 'workerd refuses `eval` and `new Function`.',
    scenarios: [
      '9-express3/9.3-middleware: timeout ends a slow request*',
      '9-express3/9.3-served-files: directory *',
      '9-express3/9.3-served-files: static and directory throw without a root*',
    ],
    places: /^(built|1\.(body|headers\.(content-length|etag)))$/,
  },
  {
    id: 'own-files',
    runtimes: ['workerd'],
    transports: BOTH,
    differs: 'Packages cannot read their own files, nor modules that are not bundled.',
    why: 'A Worker consists of the modules of its configuration.',
    scenarios: ['9-express3/9.3-middleware: errorHandler sends an error*', '9-express3/published: *'],
    places: /^built$/,
  },
  {
    id: 'paths',
    runtimes: ['workerd'],
    transports: BOTH,
    differs: 'Relative paths of files are resolved from `/`, and `os.tmpdir()` ends with a slash.',
    why: '`path.resolve` of workerd ignores `process.chdir()`.',
    scenarios: [
      '9-express3/9.3-files: res.sendfile sends a file, or passes the error*',
      '9-express3/9.3-uploads: bodyParser puts fields in req.body*',
    ],
    places: /^((2|12)\.|stderr\.)/,
  },
];
