/** Scenarios for logger(), logger.token(), logger.compile() and logger.format(). L-4 */
import { expect } from 'chai';
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

export default [
  scenario({
    name: 'logger.token defines tokens with arguments and replaces existing tokens',
    clauses: ['L-4-04', 'L-4-05', 'L-4-06', 'L-4-07', 'L-4-15', 'L-4-16'],
    alone: true,
    build({ framework, logger, log }) {
      const app = framework();
      logger.token('own', (req, res, arg) => `${req.method} ${res.statusCode} ${arg}`);
      logger.token('counted', (...args: unknown[]) => `${args.length}`);
      logger.token('method', () => 'overridden');
      logger.token('nothing', () => undefined);
      app.use(logger(':own :own[pretty] :own[a,b] :counted :counted[x] :method :nothing', { stream: log }));
      app.use((_req, res) => res.send('x'));
      return app;
    },
    requests: [get('/')],
    expect: ({ log }) =>
      expect(log).to.deep.equal(['GET 200 undefined GET 200 pretty GET 200 a,b 2 3 overridden -\n']),
  }),
  scenario({
    name: 'logger.format accepts a string or a function, and logger.compile a string',
    clauses: ['L-4-08', 'L-4-09', 'L-4-10', 'L-4-11', 'L-4-12', 'L-4-13', 'L-4-14'],
    alone: true,
    build({ framework, logger, log }) {
      const app = framework();
      const compiled = logger.compile('compiled :method :url');
      logger.format('by-string', 'named :method :url');
      logger.format('by-function', (tokens, req, res) => `function ${tokens.url?.(req, res)}`);
      logger.format('none', () => null as unknown as string);
      for (const format of ['by-string', 'by-function', 'none', compiled])
        app.use(logger(format as string, { stream: log }));
      app.use((req, res) =>
        res.type('text').send(`${compiled.length} ${compiled(logger as never, req, res)}`),
      );
      return app;
    },
    requests: [get('/a').expect({ body: '3 compiled GET /a' })],
    expect: ({ log }) => expect(log).to.deep.equal(['named GET /a\n', 'function /a\n', 'compiled GET /a\n']),
  }),
  scenario({
    name: 'logger warns of deprecated arguments, and its functions throw for invalid ones',
    clauses: ['L-4-03'],
    alone: true,
    build({ framework, logger, log }) {
      const app = framework();
      const call = logger as unknown as (...args: unknown[]) => ReturnType<typeof logger>;
      app.use(call(undefined, { stream: log }));
      app.use(call({ format: 'tiny', stream: log }));
      app.use(call('default', { stream: log }));
      app.use((_req, res) => {
        const refused = [
          () => logger.compile(7 as unknown as string),
          () => logger.token('x', 7 as never),
        ].map((attempt) => {
          try {
            attempt();
            return 'taken';
          } catch (error) {
            return String(error);
          }
        });
        res.json(refused);
      });
      return app;
    },
    requests: [get('/').expect({ json: ['TypeError: argument format must be a string', 'taken'] })],
    expect({ log, deprecations }) {
      const line = '127.0.0.1 - - [Thu, 01 Jan 2026 00:00:00 GMT] "GET / HTTP/1.1" 200 55 "-" "-"\n';
      expect(log).to.deep.equal([line, 'GET / 200 55 - 0.000 ms\n', line]);
      expect(deprecations).to.deep.equal([
        'morgan: undefined format: specify a format',
        'morgan: default format: use combined format',
        'morgan: morgan(options): use morgan("tiny", options) instead',
        'morgan: default format: use combined format',
      ]);
    },
  }),
  scenario({
    name: 'the logger calls next synchronously and writes one line after the response',
    clauses: ['L-4-17', 'L-4-18'],
    build({ framework, logger, log }) {
      const app = framework();
      app.use(logger('line :status', { stream: log }));
      app.use((_req, res) => {
        log.write('handler\n');
        res.on('finish', () => log.write('finished\n'));
        res.status(201).write('part');
        res.end('end');
        log.write('ended\n');
      });
      return app;
    },
    requests: [get('/')],
    expect: ({ log }) => expect(log).to.deep.equal(['handler\n', 'ended\n', 'line 201\n', 'finished\n']),
  }),
  scenario({
    name: 'logger warns of each deprecated kind of arguments',
    clauses: ['L-4-03'],
    alone: true,
    build({ framework, logger }) {
      const call = logger as unknown as (...args: unknown[]) => unknown;
      call({ format: 'tiny' });
      call({});
      call({ format: () => 'x' });
      call('tiny', { buffer: true });
      return framework();
    },
    requests: [get('/')],
    expect: ({ deprecations }) =>
      expect(deprecations).to.include.members([
        'morgan: morgan(options): use morgan("tiny", options) instead',
        'morgan: morgan(options): use morgan("default", options) instead',
        'morgan: morgan(options): use morgan(format, options) instead',
        'morgan: buffer option',
      ]),
  }),
  scenario({
    name: 'a token without a value is written as -, and any other value as a string',
    clauses: ['L-4-04', 'L-4-05', 'L-4-07'],
    alone: true,
    build({ framework, logger, log }) {
      const values: Readonly<Record<string, unknown>> = {
        none: undefined,
        empty: '',
        zero: 0,
        null: null,
        false: false,
        number: 12.5,
        object: { valueOf: () => 'value "of"' },
      };
      for (const [name, value] of Object.entries(values)) logger.token(name, () => value as never);
      logger.token('args', (...args) => JSON.stringify(args.slice(2)));
      const compiled = logger.compile(':method');
      const returned = [logger.token('method', () => 'REPLACED'), logger.format('own', ':url only')];
      Object.assign(logger, { bare: () => 'a"b' });
      const app = framework();
      app.use(
        logger(
          Object.keys(values)
            .map((name) => `:${name}`)
            .join('|'),
          { stream: log },
        ),
      );
      for (const format of [
        compiled,
        ':bare',
        'own',
        ':args[a,b] :args[a"b] :args[a\\b] :args[a\nb] :args[\u2028é]',
      ])
        app.use(logger(format, { stream: log }));
      return app.use((_req, res) => void res.json(returned.map((one) => one === (logger as unknown))));
    },
    requests: [get('/path').expect({ json: [true, true] })],
    expect: ({ log }) =>
      expect(log.slice(0, 4)).to.deep.equal([
        '-|-|-|-|-|12.5|value "of"\n',
        'REPLACED\n',
        'a"b\n',
        '/path only\n',
      ]),
  }),
  scenario({
    name: 'logger.compile throws for anything but a string, and its function for an unknown token',
    clauses: ['L-4-08', 'L-4-09', 'L-4-10'],
    build({ framework, logger }) {
      const compile = logger.compile as unknown as (format: unknown) => CallableFunction;
      const attempt = (run: () => unknown): unknown => {
        try {
          return run();
        } catch (error) {
          return String(error);
        }
      };
      return framework().use((req, res) => {
        res.json([
          ...[undefined, null, 1, {}, () => 'x'].map((format) => attempt(() => compile(format))),
          ...[':no-such', ':123', 'a :-- b'].map((format) =>
            attempt(() => compile(format)(logger, req, res)),
          ),
          compile('')({}, req, res),
          compile(':url!')({ url: () => '/x' }, req, res),
        ]);
      });
    },
    requests: [
      get('/').expect({
        json: [
          ...Array(5).fill('TypeError: argument format must be a string'),
          ...['tokens.no-such', 'tokens.123', 'tokens.--'].map(
            (token) => `TypeError: ${token} is not a function`,
          ),
          '',
          '/x!',
        ],
      }),
    ],
  }),
  scenario({
    name: 'the logger sets the properties of morgan on request and response, and calls next once',
    clauses: ['L-4-17'],
    build({ logger, log }) {
      const middleware = logger('x', { stream: log });
      const describe = (one: object) => {
        const { _startAt, _startTime, _remoteAddress } = one as Record<string, unknown>;
        return [Array.isArray(_startAt), _startTime instanceof Date, _remoteAddress ?? null];
      };
      let last: unknown[];
      return (req, res) => {
        if (req.url === '/last') return void res.end(JSON.stringify(last));
        middleware(req, res, (...args) => {
          last = [args.length, describe(req), describe(res)];
          res.end();
          last.push(describe(res));
        });
      };
    },
    requests: [
      get('/'),
      get('/last').expect({
        json: [0, [true, true, '127.0.0.1'], [false, false, null], [true, true, null]],
      }),
    ],
  }),
];
