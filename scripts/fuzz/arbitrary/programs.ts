/** Generates applications with settings, middleware and nested routers, and requests to them. */
import fc, { type Arbitrary } from 'fast-check';
import { TARGETS as EXAMPLE_TARGETS } from '../application';
import type { Connection, PathSpec, Program, RouterSpec, Statement, Value } from '../program';
import { connectionTo } from './requests';
import { alter, few, type Handlers, handlers, innerStep, setting } from './steps';
import * as values from './values';

const { of } = values;
const pick = fc.constantFrom;

const PATHS: Arbitrary<PathSpec> = fc.oneof(
  {
    arbitrary: pick<PathSpec[]>(
      ...[
        '/',
        '/a',
        '/a/b',
        '/A',
        '/a/',
        '/b',
        '/:x',
        '/:x/:y',
        '/a/:x',
        '/:x{/:y}',
        '/*rest',
        '/a/*rest',
        '{/*rest}',
        '/a.b',
        '/:x.:y',
        '/é',
        '/a%20b',
        '/:x-:y',
        '/"q"',
      ],
      ...[
        { regexp: '^\\/(a|b)' },
        { regexp: 'b$', flags: 'i' },
        { regexp: '^\\/(?<x>[^/]+)' },
        ['/a', '/b'],
        ['/:x', { regexp: 'c' }],
      ],
    ),
    weight: 20,
  },
  { arbitrary: pick<PathSpec[]>('', 'a', '*', '/:', '/(x)', '/a?', '/[a]', []), weight: 1 },
);

const TARGETS = pick(
  '/',
  '/',
  '/a',
  '/a',
  '/a/b',
  '/A',
  '/a/',
  '/b',
  '/x/y',
  '/a/b/c',
  '/hello.txt',
  '/data.json',
  '/s',
  '/s/a',
  '/s/a/b',
  '/s/b',
  '/s/s/a',
  '/c.d',
  '/%C3%A9',
  '/none/at/all',
);
const MOUNTS = pick<(PathSpec | undefined)[]>('/s', '/s', '/s', undefined, undefined, '/', '/a', '/:x', [
  '/s',
  '/a',
]);

const method = pick(
  'get',
  'get',
  'get',
  'post',
  'all',
  'put',
  'head',
  'options',
  'delete',
  'query',
  'm-search',
);

const parser: Arbitrary<Statement> = fc.oneof(
  fc.record({
    parser: pick('json', 'urlencoded', 'text', 'raw'),
    options: values.mostly(
      fc.record(
        {
          limit: of('1mb', 5, 0, '1kb', null, 'x'),
          inflate: fc.boolean(),
          type: of('*/*', 'json', ['json', 'text/plain'], 'text/*', { $: 'function', v: true }),
          strict: fc.boolean(),
          extended: fc.boolean(),
          parameterLimit: of(1, 1000, 0, 'x'),
          depth: of(0, 1, 32, 'x'),
          defaultCharset: of('utf-8', 'latin1'),
          verify: of(
            { $: 'function', v: null },
            { $: 'function', v: { $: 'error', v: { message: 'verify', status: 410 } } },
          ),
          reviver: of({ $: 'function', v: 1 }),
          charsetSentinel: fc.boolean(),
          interpretNumericEntities: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
      of(null, 'x', 5),
      12,
    ),
  }),
  fc.record({ parser: pick('json', 'urlencoded', 'text', 'raw') }),
) as Arbitrary<Statement>;

const files: Arbitrary<Statement> = fc.record(
  {
    files: values.mostly(
      fc.record(
        {
          dotfiles: of('allow', 'deny', 'ignore'),
          fallthrough: fc.boolean(),
          redirect: fc.boolean(),
          index: of('hello.txt', false, ['a', 'hello.txt']),
          extensions: of(['txt'], false),
          maxAge: of(1000, '1d'),
          immutable: fc.boolean(),
          etag: fc.boolean(),
          lastModified: fc.boolean(),
          acceptRanges: fc.boolean(),
          cacheControl: fc.boolean(),
          setHeaders: fc.oneof(values.callback(fc.constant([])), values.callback(few(innerStep))),
        },
        { requiredKeys: [] },
      ),
      of({}, null, 'x'),
      12,
    ),
    path: MOUNTS,
  },
  { requiredKeys: ['files'] },
) as Arbitrary<Statement>;

const TOKENS = pick(
  ':method',
  ':url',
  ':status',
  ':http-version',
  ':res[content-length]',
  ':res[x-a]',
  ':res[etag]',
  ':req[host]',
  ':req[x-a]',
  ':referrer',
  ':user-agent',
  ':remote-user',
  ':remote-addr',
  ':response-time[0]ms',
  ':nothing',
  ' ',
  '"',
  '\\',
  'é',
  ':',
  ':res',
);

const log: Arbitrary<Statement> = fc.record({
  log: fc.oneof(
    {
      arbitrary: of(
        'tiny',
        'dev',
        'short',
        'common',
        'combined',
        ':method :url :status :res[content-length]',
        ':status :res[x-a]',
      ),
      weight: 4,
    },
    { arbitrary: fc.array(TOKENS, { maxLength: 5 }).map((list): Value => list.join('')), weight: 2 },
    {
      arbitrary: of(
        '',
        'x',
        { $: 'function', v: 'line' },
        { $: 'function', v: null },
        { $: 'function', v: { $: 'error', v: { message: 'format' } } },
      ),
      weight: 1,
    },
  ),
  options: fc.record(
    {
      immediate: fc.boolean(),
      skip: of(
        { $: 'function', v: false },
        { $: 'function', v: true },
        { $: 'function', v: { $: 'error', v: { message: 'skip' } } },
      ),
    },
    { requiredKeys: [] },
  ),
}) as Arbitrary<Statement>;

const engine: Arbitrary<Statement> = fc.record({
  engine: pick('txt', '.txt', 'html'),
  steps: few(innerStep, 1),
  output: fc.oneof(
    { arbitrary: of('view', 'é').map((text) => [null, text] as Value[]), weight: 4 },
    { arbitrary: values.raised.map((raised) => [raised]), weight: 1 },
    { arbitrary: values.odd.map((text) => [null, text] as Value[]), weight: 1 },
  ),
});

const faultyMiddleware: Arbitrary<Statement> = fc.record({
  middleware: pick('late end', 'failing writes', 'broken connection', 'no listeners', 'own copies'),
});

const middleware: Arbitrary<Statement> = fc.oneof(
  fc.record({ middleware: pick('compression'), options: of({ threshold: 0 }, {}) }),
  fc.record({
    middleware: pick('express-session'),
    options: of({}, { saveUninitialized: false }, { resave: true, rolling: true }),
  }),
  fc.record({ middleware: pick('cookie-parser'), options: of('s', null) }),
  fc.record({ middleware: pick('response-time', 'method-override', 'helmet', 'cors') }),
  faultyMiddleware,
);

const fsFault: Arbitrary<Statement> = fc.record({
  fs: pick('stat', 'statSync', 'createReadStream', 'readFile', 'open', 'read'),
  how: pick('throw', 'fail', 'late'),
});

export interface ProgramOptions {
  /** Whether an application may change objects that all applications of a process share. */
  readonly shared: boolean;
}

function statementsOf(options: ProgramOptions): {
  statement: (depth: number) => Arbitrary<Statement>;
  act: Arbitrary<Statement>;
} {
  const { answering, passing, catching, checking }: Handlers = handlers({
    shared: options.shared,
    altering: 6,
  });
  const chain = fc.oneof(
    { arbitrary: fc.tuple(answering), weight: 4 },
    { arbitrary: fc.tuple(passing, answering), weight: 3 },
    { arbitrary: fc.tuple(passing, fc.oneof(passing, catching), answering), weight: 1 },
    { arbitrary: fc.tuple(answering, catching), weight: 1 },
  );
  const use = fc.record(
    {
      use: fc.oneof(
        { arbitrary: fc.tuple(passing), weight: 5 },
        { arbitrary: chain, weight: 3 },
        { arbitrary: fc.tuple(catching), weight: 2 },
      ),
      path: MOUNTS,
    },
    { requiredKeys: ['use'] },
  ) as Arbitrary<Statement>;
  const route = fc.record({
    route: method,
    path: PATHS,
    handlers: chain,
    chain: fc.boolean(),
  }) as Arbitrary<Statement>;
  const param = fc.record({
    param: values.mostly(pick('x', 'x', 'y', 'rest'), pick('0', '', ':x')),
    handler: checking,
  }) as Arbitrary<Statement>;
  const act = fc
    .array(alter(options.shared), { minLength: 1, maxLength: 2 })
    .map((steps) => ({ steps }) as Statement);
  const stack = fc.record({ stack: pick('hole', 'reverse', 'drop', 'twice') }) as Arbitrary<Statement>;
  const routerOptions = fc.record(
    { mergeParams: fc.boolean(), caseSensitive: fc.boolean(), strict: fc.boolean() },
    { requiredKeys: [] },
  );

  const statement = (depth: number): Arbitrary<Statement> =>
    fc.oneof(
      { arbitrary: route, weight: 30 },
      { arbitrary: use, weight: 25 },
      ...(depth > 0 ? [{ arbitrary: mount(depth - 1), weight: 16 }] : []),
      { arbitrary: act, weight: 12 },
      { arbitrary: setting, weight: 8 },
      { arbitrary: param, weight: 5 },
      { arbitrary: log, weight: 5 },
      { arbitrary: parser, weight: 4 },
      { arbitrary: files, weight: 4 },
      { arbitrary: middleware, weight: 4 },
      { arbitrary: engine, weight: 2 },
      { arbitrary: fsFault, weight: 1 },
      { arbitrary: stack, weight: 1 },
    );
  const mount = (depth: number): Arbitrary<Statement> =>
    fc.record(
      {
        mount: fc.record(
          {
            kind: pick<RouterSpec['kind'][]>('application', 'application', 'router'),
            options: routerOptions as Arbitrary<Record<string, Value>>,
            build: buildOf(depth, 3),
          },
          { requiredKeys: ['kind', 'build'] },
        ),
        path: MOUNTS,
      },
      { requiredKeys: ['mount'] },
    ) as Arbitrary<Statement>;
  const buildOf = (depth: number, maxLength: number): Arbitrary<Statement[]> =>
    fc.array(statement(depth), { maxLength, size: 'max' });
  return { statement, act };
}

/** Generates an application of a few statements, and connections to it. Some statements run between two connections. */
function programs(options: ProgramOptions): Arbitrary<Program> {
  const { statement, act } = statementsOf(options);
  const connection = connectionTo(TARGETS);
  const later = fc.oneof(
    { arbitrary: act, weight: 3 },
    { arbitrary: setting, weight: 1 },
    { arbitrary: statement(0), weight: 1 },
  );
  const event = fc.oneof(
    { arbitrary: connection as Arbitrary<Connection | Statement>, weight: 5 },
    { arbitrary: later, weight: 1 },
  );
  const listener = fc.record({
    event: pick(
      'request',
      'request',
      'request',
      'clientError',
      'checkContinue',
      'checkExpectation',
      'upgrade',
      'connect',
      'connection',
      'dropRequest',
    ),
    first: fc.boolean(),
    steps: few(innerStep),
  });
  return fc.record({
    build: fc.array(statement(2), { maxLength: 6, size: 'max' }),
    listeners: fc.oneof(
      { arbitrary: fc.constant([]), weight: 9 },
      { arbitrary: fc.array(listener, { minLength: 1, maxLength: 2 }), weight: 1 },
    ),
    actions: fc.array(event, { maxLength: 4, size: 'max' }),
  });
}

/** Generates requests to the application of `application.ts`. */
const example: Arbitrary<Program> = fc
  .array(connectionTo(pick(...EXAMPLE_TARGETS)), { maxLength: 6, size: 'max' })
  .map((actions) => ({ build: [{ example: 5 }], listeners: [], actions }));

const fault = fc.oneof(fsFault, faultyMiddleware);

/** Generates a handler that sends a file, a view or JSON. */
const sender: Arbitrary<Statement> = fc
  .oneof(
    fc.record({
      call: pick('res.sendFile', 'res.sendfile', 'res.download'),
      args: fc.oneof(fc.tuple(values.file), fc.tuple(values.file, values.sendOptions)),
    }),
    fc.record({ call: pick('res.render'), args: fc.constant(['hello.txt']) }),
    fc.record({ call: pick('res.json', 'res.write'), args: fc.tuple(values.body) }),
  )
  .map((step) => ({ use: [{ arity: 2, look: 'nothing', steps: [step] }] }) as Statement);

/** Generates an application with faults whose handlers send files, so that most requests reach a fault. */
const faulty: Arbitrary<Program> = fc.record({
  build: fc.tuple(
    fault,
    fc.oneof(fault, log, middleware, parser, engine, setting),
    fc.oneof(files, sender),
    sender,
  ),
  listeners: fc.constant([]),
  actions: fc.array(connectionTo(pick('/hello.txt', '/data.json', '/none')), { minLength: 1, maxLength: 3 }),
});

/** Generates an application. One in nine may change objects that all applications of a process share. */
export const program: Arbitrary<Program> = fc.oneof(
  { arbitrary: programs({ shared: false }), weight: 12 },
  { arbitrary: programs({ shared: true }), weight: 2 },
  { arbitrary: example, weight: 2 },
  { arbitrary: faulty, weight: 2 },
);
