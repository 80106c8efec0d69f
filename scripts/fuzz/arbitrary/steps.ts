/** Generates the statements that handlers, listeners and overrides run. */
import fc, { type Arbitrary } from 'fast-check';
import type { Handler, Override, Step, Value } from '../program';
import * as values from './values';

const { of } = values;
const UNDEFINED: Value = { $: 'undefined' };

export const few = <T>(arbitrary: Arbitrary<T>, maxLength = 2): Arbitrary<T[]> =>
  fc.array(arbitrary, { maxLength, size: 'max' });

/** Generates a list of arguments, with one generator for each position. */
function args(...each: Arbitrary<Value>[]): Arbitrary<Value[]> {
  return fc.tuple(...each);
}

function call(place: string, given: Arbitrary<Value[]>, on?: string): Arbitrary<Step> {
  return given.map((list) => ({ call: place, args: list, ...(on !== undefined && { on }) }));
}

/** Generates from a random entry of a table. fast-check shrinks this better than a choice that depends on another. */
function oneOf<T, R>(
  table: Readonly<Record<string, T>>,
  toArbitrary: (name: string, each: T) => Arbitrary<R>,
): Arbitrary<R> {
  return fc.oneof(...Object.entries(table).map(([name, each]) => toArbitrary(name, each)));
}

const none = fc.constant<Value[]>([]);
const either = (...each: Arbitrary<Value[]>[]): Arbitrary<Value[]> => fc.oneof(...each);

/** Generators of arguments, by method of the response. */
function responses(inner: Arbitrary<readonly Step[]>) {
  const done = fc.oneof(of(UNDEFINED), values.callback(inner));
  return {
    send: either(args(values.body), args(values.body), none, args(values.status, values.body)),
    json: either(args(values.json), none, args(values.status, values.json)),
    jsonp: args(values.json),
    sendStatus: args(values.status),
    redirect: either(args(values.url), args(values.status, values.url), none),
    end: either(
      none,
      args(values.body),
      args(values.body, of('utf8', 'latin1', 'x', null)),
      args(values.body, of('latin1'), done),
    ),
    sendFile: either(
      args(values.file, values.sendOptions),
      args(values.file),
      args(values.file, values.sendOptions, done),
    ),
    sendfile: either(
      args(values.file, values.sendOptions),
      args(values.file),
      args(values.file, values.sendOptions, done),
      args(values.file, done),
    ),
    download: either(
      args(values.file),
      args(values.file, values.text),
      args(values.file, values.text, values.sendOptions, done),
    ),
    render: either(
      args(of('hello', 'hello.txt', 'none', '', 'x.y', 5)),
      args(of('hello'), values.json, done),
      args(of('hello'), values.json),
    ),
    format: args(
      fc.dictionary(
        fc.constantFrom('html', 'text/plain', 'json', 'default', 'image/png', 'x'),
        values.callback(inner),
        { maxKeys: 3 },
      ),
    ),
    writeHead: either(
      args(values.status),
      args(values.status, values.headers),
      args(values.status, values.text, values.headers),
    ),
    write: either(
      args(values.body),
      args(values.body, of('latin1', 'utf8')),
      args(values.body, of('utf8'), done),
    ),
  };
}

const CHANGES: Record<string, Arbitrary<Value[]>> = {
  status: args(values.status),
  set: either(args(values.headerName, values.headerValue), args(values.headers), args(values.headerName)),
  header: args(values.headerName, values.headerValue),
  setHeader: args(values.headerName, values.headerValue),
  append: either(
    args(values.headerName, values.headerValue),
    args(of('Set-Cookie', 'Link'), values.headerValue),
  ),
  appendHeader: args(values.headerName, values.headerValue),
  setHeaders: args(values.headers),
  removeHeader: args(values.headerName),
  get: args(values.headerName),
  getHeader: args(values.headerName),
  hasHeader: args(values.headerName),
  getHeaders: none,
  getHeaderNames: none,
  getRawHeaderNames: none,
  type: args(values.mediaType),
  contentType: args(values.mediaType),
  vary: args(fc.oneof(of('Accept', 'a, b', ['A', 'B'], '*', ''), values.odd)),
  location: args(values.url),
  attachment: either(none, args(values.text), args(values.odd)),
  links: args(
    fc.oneof(
      fc.dictionary(fc.constantFrom('next', 'last'), fc.oneof(values.text, of(['/1', '/2'])), {
        maxKeys: 2,
      }) as Arbitrary<Value>,
      values.odd,
    ),
  ),
  cookie: either(args(values.text, values.json), args(values.text, values.json, values.cookieOptions)),
  clearCookie: either(args(values.text), args(values.text, values.cookieOptions)),
  flushHeaders: none,
  writeContinue: none,
  writeProcessing: none,
  writeEarlyHints: args(of({ link: '</a>; rel=preload' }, { link: ['</a>; rel=preload'] }, {})),
  addTrailers: args(values.headers),
  cork: none,
  uncork: none,
  destroy: either(none, args(values.error)),
  detachSocket: args(of(null)),
};

/** Methods of Node.js that a step calls on a response directly, even if the application overrides them. */
const PAST = [
  'setHeader',
  'getHeader',
  'removeHeader',
  'hasHeader',
  'getHeaders',
  'getHeaderNames',
  'appendHeader',
];

const QUESTIONS: Record<string, Arbitrary<Value[]>> = {
  get: args(mostlyText(['Host', 'referer', 'Referrer', 'X-A', 'Content-Type', 'Cookie'])),
  header: args(mostlyText(['Host', 'X-A'])),
  accepts: either(
    none,
    args(values.mediaType),
    args(fc.array(values.mediaType, { maxLength: 3 })),
    args(values.mediaType, values.mediaType),
  ),
  acceptsEncodings: either(none, args(of('gzip', ['br', 'identity'], '', 5))),
  acceptsCharsets: either(none, args(of('utf-8', ['latin1'], ''))),
  acceptsLanguages: either(none, args(of('en', ['de', 'en'], ''))),
  is: either(args(values.mediaType), args(of(['json', 'html'], '*/*', 'urlencoded')), none),
  param: either(args(of('x', 'a', 'x')), args(of('a', 'toString'), of('d'))),
  acceptsEncoding: args(of('gzip', 'br')),
  acceptsCharset: args(of('utf-8', 'latin1')),
  acceptsLanguage: args(of('en', 'de')),
  range: either(args(of(10, 100, 0, -1, 'x')), args(of(100), of({ combine: true }))),
};

function mostlyText(list: string[]): Arbitrary<Value> {
  return values.mostly(of(...list), values.odd, 8);
}

const SETTINGS: Record<string, Arbitrary<Value>> = {
  etag: fc.oneof(
    of(true, false, 'weak', 'strong', 'x', 1, null, UNDEFINED),
    values.callback(
      fc.constant([]),
      of('"t"', 'W/"é"', UNDEFINED, 5, { $: 'error', v: { message: 'etag' } }),
    ),
  ),
  'query parser': fc.oneof(
    of(true, false, 'simple', 'extended', 'x', null),
    values.callback(fc.constant([]), of({ q: 1 }, UNDEFINED, 5, { $: 'error', v: { message: 'query' } })),
  ),
  'trust proxy': fc.oneof(
    of(true, false, 1, 2, 'loopback', '10.0.0.1, loopback', ['127.0.0.1'], 'x', null, UNDEFINED),
    values.callback(fc.constant([]), of(true, false, { $: 'error', v: { message: 'trust' } })),
  ),
  'json spaces': of(2, 0, '\t', 'é', 100, true, null),
  'json escape': of(true, false, 1, 'x'),
  'json replacer': fc.oneof(of(['a'], null, 5), values.callback(fc.constant([]), of(1, 'é', UNDEFINED))),
  'x-powered-by': of(true, false, 0, 1, null),
  'case sensitive routing': of(true, false, UNDEFINED),
  'strict routing': of(true, false, 1),
  'subdomain offset': of(0, 1, 3, 'x'),
  env: of('production', 'development', 'test', 5, UNDEFINED),
  views: of({ $: 'files' }, [{ $: 'files' }, '/none'], '/none', 5),
  'view engine': of('txt', '.txt', 'none', '', UNDEFINED),
  'view cache': of(true, false),
  'jsonp callback name': of('cb', 'é', 5, UNDEFINED),
  title: of('x', UNDEFINED),
};

export const setting: Arbitrary<{ set: string; value: Value }> = oneOf(SETTINGS, (name, value) =>
  value.map((each) => ({ set: name, value: each })),
);

/**
 * Prototypes that statements may change. A repeated name is chosen more often. `SHARED` and `SHARED_REQUESTS` need the
 * option `shared`.
 */
const OWN_RESPONSES = ['app.response', 'app.response', 'app0.response', 'app1.response'];
const OWN_REQUESTS = ['app.request', 'app.request', 'app0.request', 'app1.request'];
const SHARED = ['framework.response', 'http.ServerResponse.prototype', 'http.OutgoingMessage.prototype'];
const SHARED_REQUESTS = ['framework.request', 'http.IncomingMessage.prototype'];

/** Methods of responses that middleware, APM agents and applications override. A repeated name is chosen more often. */
const WRAPPED = [
  ...['writeHead', 'end', 'write', 'setHeader', 'writeHead', 'end', 'write', 'setHeader'],
  ...[
    'send',
    'json',
    'jsonp',
    'status',
    'set',
    'get',
    'header',
    'type',
    'redirect',
    'sendStatus',
    'cookie',
    'append',
    'location',
    'vary',
    'links',
  ],
  ...['sendFile', 'sendfile', 'download', 'render', 'attachment', 'format', 'contentType', 'clearCookie'],
  ...[
    'removeHeader',
    'getHeader',
    'hasHeader',
    'getHeaders',
    'getHeaderNames',
    'flushHeaders',
    'emit',
    'on',
    'once',
    'addListener',
    'setHeaders',
    'appendHeader',
    'writeContinue',
    'assignSocket',
    'destroy',
  ],
];
const WRAPPED_REQUEST = [
  'get',
  'header',
  'accepts',
  'acceptsEncodings',
  'acceptsCharsets',
  'acceptsLanguages',
  'param',
  'is',
  'range',
  'on',
  'emit',
  'pipe',
  'resume',
  'read',
  'destroy',
  'unpipe',
];
const WRAPPED_APPLICATION = [
  'get',
  'enabled',
  'disabled',
  'set',
  'enable',
  'handle',
  'use',
  'render',
  'path',
  'defaultConfiguration',
  'param',
  'route',
  'emit',
  'all',
  'init',
];
const RESPONSE_PROPERTIES = [
  'locals',
  'statusCode',
  'statusMessage',
  'headersSent',
  'req',
  'app',
  'writableEnded',
  'finished',
  'sendDate',
  'x',
  'socket',
  'charset',
];
const REQUEST_PROPERTIES = [
  'url',
  'method',
  'query',
  'params',
  'body',
  'route',
  'baseUrl',
  'originalUrl',
  'headers',
  'ip',
  'ips',
  'protocol',
  'secure',
  'host',
  'hostname',
  'path',
  'fresh',
  'stale',
  'xhr',
  'subdomains',
  'x',
  'next',
  'res',
  'app',
];

/** Properties of responses to read, without those whose value depends on the implementation. */
const READ_OF_RESPONSE = [
  'locals',
  'statusCode',
  'statusMessage',
  'headersSent',
  'req',
  'app',
  'writableEnded',
  'writableFinished',
  'finished',
  'sendDate',
  'x',
  'charset',
  'locals.x',
  'app.settings.env',
  'req.url',
  'req.query',
  'shouldKeepAlive',
  'chunkedEncoding',
  'strictContentLength',
  'writableLength',
  'writable',
  'destroyed',
  'headersSent',
  'useChunkedEncodingByDefault',
];
const READ_OF_REQUEST = [
  'url',
  'method',
  'query',
  'params',
  'body',
  'route.path',
  'route.methods',
  'baseUrl',
  'originalUrl',
  'headers',
  'rawHeaders',
  'ip',
  'ips',
  'protocol',
  'secure',
  'host',
  'hostname',
  'path',
  'fresh',
  'stale',
  'xhr',
  'subdomains',
  'x',
  'res',
  'app',
  'app.locals.x',
  'res.locals',
  'complete',
  'aborted',
  'httpVersion',
  'cookies',
  'sessionID',
  'accepted',
  'acceptedCharsets',
  'acceptedEncodings',
  'acceptedLanguages',
  'auth',
  'headersDistinct',
  'trailers',
  'query.a',
  'params.x',
];

export const innerStep: Arbitrary<Step> = fc.oneof(
  { arbitrary: read('res', READ_OF_RESPONSE), weight: 2 },
  { arbitrary: read('req', READ_OF_REQUEST), weight: 2 },
  { arbitrary: ask(), weight: 1 },
  { arbitrary: change(), weight: 3 },
  { arbitrary: assign(), weight: 2 },
);

/** Generates a step of an override: it uses `this`, uses the request or response, or throws. */
const overrideStep: Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc
      .constantFrom(
        'locals',
        'app',
        'req',
        'res',
        'statusCode',
        'url',
        'headersSent',
        'locals.x',
        'req.url',
        'app.settings.env',
        'res.locals',
      )
      .map((name) => ({ read: `this.${name}` })),
    weight: 3,
  },
  {
    arbitrary: fc
      .constantFrom('locals.x', 'x', 'statusCode', 'req.x', 'app.locals.x')
      .map((name) => ({ assign: `this.${name}`, value: name === 'statusCode' ? 202 : 1 })),
    weight: 2,
  },
  { arbitrary: innerStep, weight: 2 },
  { arbitrary: values.raised.map((raise) => ({ raise })), weight: 1 },
);

function read(base: string, names: readonly string[]): Arbitrary<Step> {
  return fc.constantFrom(...names).map((name) => ({ read: `${base}.${name}` }));
}

function ask(): Arbitrary<Step> {
  return oneOf(QUESTIONS, (name, given) => call(`req.${name}`, given));
}

function change(): Arbitrary<Step> {
  const direct = oneOf(CHANGES, (name, given) => call(`res.${name}`, given));
  const past = oneOf(
    Object.fromEntries(PAST.map((name) => [name, CHANGES[name] as Arbitrary<Value[]>])),
    (name, given) => call(`http.OutgoingMessage.prototype.${name}`, given, 'res'),
  );
  return fc.oneof({ arbitrary: direct, weight: 12 }, { arbitrary: past, weight: 1 });
}

function assign(): Arbitrary<Step> {
  const table: Record<string, Arbitrary<Value>> = {
    'req.url': fc.oneof(
      of('/', '/a', '/a/b', '/b?x=1', '', 'x', '*', '//', 'http://h/a', '/%zz'),
      values.odd,
    ),
    'req.method': fc.oneof(of('GET', 'POST', 'HEAD', 'get', 'X', ''), values.odd),
    'req.params': fc.oneof(of({}, { x: 'own' }, null), values.odd),
    'req.query': of({ a: 1 }, null),
    'req.body': values.json,
    'req.baseUrl': of('', '/x', 5),
    'req.originalUrl': of('/o', '', 5),
    'req.headers': of({}, { accept: 'text/plain', host: 'other' }),
    'req.headers.accept': of('text/html', ''),
    'req.headers.host': of('a.b.c', ''),
    'req.x': values.any,
    'req.route': of(null, { path: '/r' }),
    'req.next': of(null),
    'req.app': of({ $: 'undefined' }, { x: 1 }),
    'res.statusCode': values.status,
    'res.statusMessage': fc.oneof(values.text, values.odd),
    'res.locals': of({ x: 1 }, null, UNDEFINED, 5),
    'res.locals.x': values.any,
    'res.sendDate': fc.boolean(),
    'res.x': values.any,
    'res.app': of({ $: 'undefined' }),
    'res.shouldKeepAlive': fc.boolean(),
    'res.useChunkedEncodingByDefault': fc.boolean(),
    'res.chunkedEncoding': fc.boolean(),
    'res.strictContentLength': fc.boolean(),
    'app.locals.x': values.any,
  };
  return oneOf(table, (place, value) => value.map((each) => ({ assign: place, value: each })));
}

/**
 * Generates a step that changes a prototype or an application: overrides, defines, assigns or removes a member,
 * replaces the object, or freezes it.
 *
 * @param shared Whether the step may change objects that all applications of a process share.
 */
export function alter(shared: boolean): Arbitrary<Step> {
  const responses = [...OWN_RESPONSES, ...(shared ? [...SHARED, ...SHARED] : [])];
  const requests = [...OWN_REQUESTS, ...(shared ? [...SHARED_REQUESTS, ...SHARED_REQUESTS] : [])];
  const applications = ['app', 'app0', 'app1', ...(shared ? ['framework.application'] : [])];
  const place = fc.oneof(
    { arbitrary: join(responses, WRAPPED), weight: 5 },
    { arbitrary: join(requests, WRAPPED_REQUEST), weight: 2 },
    { arbitrary: join(applications, WRAPPED_APPLICATION), weight: 3 },
  );
  const property = fc.oneof(join(responses, RESPONSE_PROPERTIES), join(requests, REQUEST_PROPERTIES));
  const object = fc.constantFrom(...responses, ...requests);
  return fc.oneof(
    { arbitrary: overrideOf(place), weight: 6 },
    { arbitrary: accessorOf(property), weight: 2 },
    {
      arbitrary: fc
        .tuple(fc.oneof(property, place), values.any)
        .map(([assigned, value]) => ({ assign: assigned, value })),
      weight: 2,
    },
    {
      arbitrary: fc.record({
        freeze: fc.oneof(
          { arbitrary: object, weight: 4 },
          { arbitrary: fc.constantFrom('app', 'app.locals', 'app.settings'), weight: 1 },
        ),
        how: fc.constantFrom('freeze', 'seal', 'preventExtensions'),
      }),
      weight: 1,
    },
    {
      arbitrary: fc.record({
        replace: fc.constantFrom(...OWN_RESPONSES, ...OWN_REQUESTS),
        members: fc.dictionary(fc.constantFrom('x', 'extra', 'hi'), of(1, 'a', { $: 'function', v: 'hi' }), {
          maxKeys: 2,
        }),
      }),
      weight: 1,
    },
    { arbitrary: fc.oneof(place, property).map((removed) => ({ remove: removed })), weight: 1 },
  ) as Arbitrary<Step>;
}

function join(bases: readonly string[], names: readonly string[]): Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...bases), fc.constantFrom(...names))
    .map(([base, name]) => `${base}.${name}`);
}

function overrideOf(place: Arbitrary<string>): Arbitrary<Override> {
  return fc.record({
    override: place,
    before: few(overrideStep),
    pass: values.mostly<Override['pass']>(
      fc.constant('same'),
      fc.oneof(fc.constant('none' as const), fc.array(values.any, { maxLength: 2 })),
      8,
    ),
    after: few(overrideStep, 1),
  }) as Arbitrary<Override>;
}

/**
 * Generates an accessor. Its getter has no side effect, because implementations may read a property more or less often.
 */
function accessorOf(place: Arbitrary<string>): Arbitrary<Step> {
  return fc.record({ accessor: place, value: values.any, settable: fc.boolean() });
}

/** Generates an override of a method of one request or response, as compression, sessions and APM agents define it. */
const wrap: Arbitrary<Step> = overrideOf(
  fc.oneof(
    { arbitrary: join(['res'], WRAPPED), weight: 4 },
    { arbitrary: join(['req'], WRAPPED_REQUEST), weight: 1 },
  ),
);

const late = (steps: Arbitrary<readonly Step[]>): Arbitrary<Step> =>
  fc.record({ later: fc.constantFrom('nextTick', 'immediate', 'microtask', 'promise'), steps });

const finish: Arbitrary<Step> = respond(fc.constant([]));

function respond(inner: Arbitrary<readonly Step[]>): Arbitrary<Step> {
  const { send, json, end, sendStatus, ...others } = responses(inner);
  const toCall = (name: string, given: Arbitrary<Value[]>): Arbitrary<Step> => call(`res.${name}`, given);
  return fc.oneof(
    { arbitrary: oneOf({ send, json, end, sendStatus }, toCall), weight: 3 },
    { arbitrary: oneOf(others, toCall), weight: 2 },
  );
}

const proceed: Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.constant({ next: [] }), weight: 6 },
  { arbitrary: of('route', 'router', UNDEFINED, null, 0, '').map((value) => ({ next: [value] })), weight: 2 },
  { arbitrary: values.raised.map((value) => ({ next: [value] })), weight: 2 },
);

export interface StepOptions {
  /** Whether the steps may change objects that all applications of a process share. */
  readonly shared: boolean;
  /** The weight of steps that change prototypes or applications. Steps that use a request or response have 60. */
  readonly altering: number;
}

/** Generates the steps of a handler. The last one usually sends a response or calls `next`. */
function stepsOf(last: Arbitrary<Step>, { shared, altering }: StepOptions): Arbitrary<Step[]> {
  const middle = fc.oneof(
    { arbitrary: innerStep, weight: 60 },
    { arbitrary: wrap, weight: 10 },
    { arbitrary: alter(shared), weight: altering },
    {
      arbitrary: setting.map(({ set, value }) => ({ call: 'app.set', args: [set, value] }) as Step),
      weight: 3,
    },
    { arbitrary: proceed, weight: 3 },
    { arbitrary: finish, weight: 5 },
    { arbitrary: late(few(fc.oneof(innerStep, proceed, finish))), weight: 4 },
  );
  const end = fc.oneof(
    { arbitrary: last, weight: 10 },
    { arbitrary: late(fc.tuple(last)), weight: 3 },
    { arbitrary: values.raised.map((raise) => ({ raise }) as Step), weight: 1 },
  );
  return fc
    .tuple(few(middle, 3), fc.option(end, { freq: 20 }))
    .map(([steps, step]) => (step ? [...steps, step] : steps));
}

function handler(last: Arbitrary<Step>, arity: Arbitrary<number>, options: StepOptions): Arbitrary<Handler> {
  return fc.record({
    arity,
    async: fc.constantFrom(false, false, false, true),
    look: fc.constantFrom('nothing', 'path', 'path', 'all'),
    steps: stepsOf(last, options),
  });
}

/** Generators of handlers that respond (`answering`) or call `next`, of error handlers, and of parameter callbacks. */
export type Handlers = Readonly<
  Record<'answering' | 'passing' | 'catching' | 'checking', Arbitrary<Handler>>
>;

export function handlers(options: StepOptions): Handlers {
  const answering = respond(few(fc.oneof(innerStep, proceed, finish)));
  return {
    answering: handler(answering, fc.constantFrom(2, 2, 3, 1, 0), options),
    passing: handler(proceed, fc.constantFrom(3, 3, 3, 2, 5), options),
    catching: handler(fc.oneof(answering, proceed), fc.constant(4), options),
    checking: handler(proceed, fc.constantFrom(3, 4, 5), options),
  };
}
