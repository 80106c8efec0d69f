/** The intended differences from Express 5 and morgan, which affect applications of Express 5. */
import { type Divergence, responsePlaces } from './divergence';

export const OF_5X: readonly Divergence[] = [
  {
    id: 'back',
    clauses: ['F-4.5-46', 'F-4.5-47', 'F-4.5-56', 'F-4.5-57'],
    differs: '`back` in res.location() and res.redirect() means the Referer, or `/`; Express sends `back`',
    why: 'The Express documentation states it several times. A path `back` can be sent as `./back`.',
    sign: {
      place: /^\d+\.(headers\.location|body)$/,
      expected: /^back$|Redirecting to back\b/,
      isActual: (actual, referer = '/') => actual.includes(referer),
    },
    scenarios: {
      // biome-ignore format: a table
      '4-endpoints/4.5-redirect: res.location and res.redirect replace back with the Referer': [
        '1.headers.location', '2.headers.location', '3.headers.location',
        '4.headers.location', '4.headers.content-length', '4.body',
        '5.headers.location', '5.headers.content-length', '5.body',
        '6.headers.location', '6.headers.content-length', '6.body',
      ],
    },
  },
  {
    id: 'powered-by-text',
    clauses: ['F-2.2-56', 'F-2.2-63'],
    differs:
      'If `x-powered-by` is a text, `X-Powered-By` is this text; Express sends `Express` for each truthy value',
    why: "Tests of an application may expect the header of Express: `app.set('x-powered-by', 'Express')` keeps it.",
    standard: '[settings](settings.md)',
    scenarios: {
      '2-resources/2.2-effects: a mounted application keeps its own defaults, except trust proxy if it was never set':
        ['1.headers.x-powered-by', '2.headers.x-powered-by', '3.headers.x-powered-by'],
      '2-resources/2.2-settings: a mounted application inherits settings that have no default': [
        '1.headers.x-powered-by',
        '2.headers.x-powered-by',
        '3.headers.x-powered-by',
      ],
    },
  },
  {
    id: 'accepts-list',
    clauses: ['F-4.4-03'],
    differs:
      '`req.accepts("json, html")` chooses from a list; Express reads one unknown type and returns false',
    why: 'No registered media type contains a comma, so only calls that always return false change.',
    scenarios: {
      '4-endpoints/4.4-request: req.accepts accepts a list in one string': [1, 2, 3, 6].flatMap(
        responsePlaces,
      ),
    },
  },
  {
    id: 'pathless-routes',
    clauses: ['F-4.2-31'],
    differs:
      '`app.all(handler)`, `app.post(handler)` and the other routing methods default the path to `/`; Express throws',
    why: 'Only applications that throw on start-up change. `app.get(name)` still reads a setting.',
    scenarios: {
      '4-endpoints/4.2-application: app.all and the route methods use the path / if none is given': [
        ...[1, 2, 3, 4, 5].flatMap((exchange) => [
          `${exchange}.status`,
          `${exchange}.headers.content-type`,
          ...responsePlaces(exchange),
        ]),
        ...[6, 7].flatMap((exchange) => [
          `${exchange}.status`,
          `${exchange}.headers.content-security-policy`,
          `${exchange}.headers.x-content-type-options`,
          ...responsePlaces(exchange),
        ]),
      ],
    },
  },
  {
    id: 'param-of-options',
    clauses: ['F-4.3-06', 'F-4.3-07', 'F-4.3-08'],
    differs:
      '`router.param(fn)` still works, with a deprecation warning: each later `router.param(name, option)` uses the callback that `fn(name, option)` returns. Express 5 throws',
    why: 'Only applications that throw on start-up change.',
    scenarios: {
      '4-endpoints/4.3-router: router.param with only a function creates callbacks from later options': [
        ...[1, 2].flatMap((exchange) => [
          `${exchange}.status`,
          `${exchange}.headers.x-checked`,
          ...responsePlaces(exchange),
        ]),
        'deprecations.1',
      ],
    },
  },
  {
    id: 'etag-encoding',
    clauses: ['F-2.4-09'],
    differs:
      'An `etag` function of the application receives `utf8` for a string body; Express passes undefined',
    why: 'With Express the second argument is undefined, so no application reads it.',
    scenarios: {
      '2-resources/2.4-etag: a custom etag function receives the encoding of a string body': [
        '1.headers.etag',
      ],
    },
  },
  {
    id: 'layer-members',
    clauses: ['F-2.5-14'],
    differs: 'Layers of `req.route.stack` also have `keys`, `params` and `path`; layers of Express do not',
    why: 'They are constants in addition to the members of Express, and hold no data of a request.',
    scenarios: {
      '2-resources/2.5-router-options: layers of req.route.stack have keys, params and path':
        responsePlaces(1),
    },
  },
  {
    id: 'continue-in-turn',
    clauses: ['F-4.5-66'],
    differs:
      'When a response is queued behind another (pipelining), its 1xx responses are sent before its head. ' +
      'Express writes them between head and body, which corrupts the response',
    why: 'The client also loses the later responses on the connection.',
    standard: 'RFC 9110 §15.2',
    scenarios: {
      '4-endpoints/4.5-send: res.send keeps 100 Continue before its response while an earlier response is pending':
        ['2.interim', '2.body', '2.surplus'],
    },
  },
  {
    id: 'own-app',
    clauses: ['F-2.6-02'],
    differs:
      'In a mounted application, `app` may be a property of the request itself; in Express it is a property of its prototype',
    why: 'A change of prototype takes longer than all other work on a small request.',
    standard: '[performance](performance.md#observable-effects-of-the-optimisations)',
    scenarios: {
      '2-resources/2.6-members: req.app is the current application, in the main and in a mounted application':
        responsePlaces(2),
    },
  },
  {
    id: 'errors-while-responding',
    clauses: ['F-7-01', 'F-7-02', 'F-2.9-07', 'F-2.9-21', 'F-2.11-26'],
    differs:
      'If Node.js rejects the status, a header or the text of an error, or the option `headers` of `res.sendFile`, or if `setHeaders` of `express.static` throws, the client receives an error page. With Express, an uncaught exception ends the process',
    why: 'One request must not end the process.',
    standard: '[threat model](security/threat-model.md)',
    scenarios: {
      '7-errors/7-final-handler: the final handler responds if the error or the response has values that Node.js rejects':
        [
          ...respondedPlaces(1, ['x-powered-by']),
          ...respondedPlaces(2, ['x-powered-by']),
          ...respondedPlaces(3, ['x-powered-by']),
          'uncaught.1',
          'uncaught.2',
          'uncaught.3',
        ],
      '2-resources/2.11-static: express.static calls next if setHeaders throws, and sends no file after a response in setHeaders':
        [...respondedPlaces(1, ['x-powered-by']), 'uncaught.1', 'uncaught.2'],
      '2-resources/2.9-file-options: res.sendFile does not send a header with a line break': [
        ...respondedPlaces(1, ['x-powered-by']),
        ...respondedPlaces(2, ['x-powered-by', 'content-disposition']),
        ...respondedPlaces(3, ['x-powered-by']),
        'uncaught.1',
        'uncaught.2',
        'uncaught.3',
      ],
    },
  },
  {
    id: 'truncated-files',
    clauses: ['F-2.11-28'],
    differs:
      'If a file is truncated while it is sent, the connection is closed. Express keeps it, and the client reads the next response as the rest of the file',
    why: 'A client cannot tell the two responses apart.',
    standard: 'RFC 9112 §8',
    scenarios: {
      '2-resources/2.11-static: express.static closes the connection if a file is truncated while it is sent':
        ['1.connection', '1.fault', '2.connection', '2.fault'],
    },
  },
];

/** Returns the places that differ if Express does not respond, and this package sends an error page. */
function respondedPlaces(exchange: number, headers: readonly string[]): string[] {
  const page = ['content-security-policy', 'x-content-type-options', 'content-type', 'content-length'];
  const names = [...headers, ...page, 'date', 'connection', 'keep-alive'];
  return [
    ...['status', 'headers', 'framing', 'body', 'connection', 'fault'].map((part) => `${exchange}.${part}`),
    ...names.map((name) => `${exchange}.headers.${name}`),
  ];
}
