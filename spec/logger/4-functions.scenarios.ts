/** Scenarios for logger(), logger.token(), logger.compile() and logger.format(). L-4 */
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
    requests: [get('/a')],
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
    requests: [get('/')],
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
  }),
];
