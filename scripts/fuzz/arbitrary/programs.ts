/** Generates applications with settings, middleware and nested routers, and requests to them. */
import fc, { type Arbitrary } from 'fast-check';
import { TARGETS as EXAMPLE_TARGETS } from '../../../parity/programs/example';
import {
  type Connection,
  type PathSpec,
  type Program,
  pathIn,
  type RouterSpec,
  type Series,
  type Statement,
  type Value,
} from '../../../parity/programs/program';
import { expression4, path, path4, target } from '../../../spec/support/arbitraries/paths';
import { toSeries } from '../series';
import { connectionTo } from './requests';
import { alter, few, handlers, innerStep, setting } from './steps';
import { tables } from './tables';
import * as values from './values';

const { of } = values;
const pick = fc.constantFrom;

const { options, programs: words } = tables;

/** The paths of routes, in the syntax of a version of Express. */
const pathOf = (series: Series): Arbitrary<PathSpec> => {
  const drawn =
    series === 5 ? path : fc.oneof({ arbitrary: path4, weight: 9 }, { arbitrary: expression4, weight: 1 });
  const listed = pick(...words.paths).map((one) => (typeof one === 'string' ? pathIn(series, one) : one));
  return fc.oneof({ arbitrary: drawn, weight: 1 }, { arbitrary: listed, weight: 1 });
};
const drawnTarget = target.map((text) => Buffer.from(text).toString('latin1'));
const TARGETS = fc.oneof(
  { arbitrary: drawnTarget, weight: 3 },
  { arbitrary: drawnTarget.map((text) => `/s${text}`), weight: 1 },
  { arbitrary: pick(...words.targets), weight: 4 },
);
const MOUNTS = pick(...words.mounts.map((path) => path ?? undefined));
const method = pick(...words.methods);

const PARSERS = pick('json', 'urlencoded', 'text', 'raw');
const parser: Arbitrary<Statement> = fc.oneof(
  fc.record({
    parser: PARSERS,
    options: values.mostly(values.optionsFrom(options.parserOptions), of(null, 'x', 5), 12),
  }),
  fc.record({ parser: PARSERS }),
);

const setHeaders = fc.oneof(values.callback(fc.constant([])), values.callback(few(innerStep)));
const files: Arbitrary<Statement> = fc.record(
  {
    files: values.mostly(
      values.optionsFrom({ ...options.staticOptions, setHeaders: 'setHeaders' }, [], {
        boolean: fc.boolean(),
        setHeaders,
      }),
      of({}, null, 'x'),
      12,
    ),
    path: MOUNTS,
  },
  { requiredKeys: ['files'] },
) as Arbitrary<Statement>;

const log: Arbitrary<Statement> = fc.record({
  log: fc.oneof(
    { arbitrary: of(...words.formats), weight: 4 },
    {
      arbitrary: fc.array(pick(...words.tokens), { maxLength: 5 }).map((list): Value => list.join('')),
      weight: 2,
    },
    { arbitrary: of(...words.oddFormats), weight: 1 },
  ),
  options: values.optionsFrom(options.logOptions),
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

/** @param shared Whether an application may change objects that all applications of a process share. */
function statementsOf(
  shared: boolean,
  series: Series,
): {
  statement: (depth: number) => Arbitrary<Statement>;
  act: Arbitrary<Statement>;
} {
  const { answering, passing, catching, checking } = handlers(shared);
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
    path: pathOf(series),
    handlers: chain,
    chain: fc.boolean(),
  }) as Arbitrary<Statement>;
  const param = fc.record({
    param: values.mostly(pick('x', 'a', 'b', 'id', 'y', 'rest'), pick('0', '', ':x')),
    handler: checking,
  }) as Arbitrary<Statement>;
  const act = fc
    .array(alter(shared), { minLength: 1, maxLength: 2 })
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
function programs(shared: boolean, series: Series): Arbitrary<Program> {
  const { statement, act } = statementsOf(shared, series);
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
    event: pick(...words.events),
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
export function programOf(series: Series): Arbitrary<Program> {
  return fc
    .oneof(
      { arbitrary: programs(false, series), weight: 12 },
      { arbitrary: programs(true, series), weight: 2 },
      { arbitrary: example, weight: 2 },
      { arbitrary: faulty, weight: 2 },
    )
    .map((program) => toSeries(program, series));
}
