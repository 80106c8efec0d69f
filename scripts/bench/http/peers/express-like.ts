// The program of this build and of every Express: one interface, one program.
import { createWriteStream } from 'node:fs';
import type { Server } from 'node:http';
import type framework from 'nozomi';
import type logger from 'nozomi/logger';
import { PAGE, RECORD, routeCount, routePath } from '../workloads';

type Next = () => void;

export function serve(name: string, express: typeof framework, log: typeof logger, files: string): Server {
  const app = express();
  app.disable('x-powered-by');
  const count = routeCount(name);
  if (count > 0) addRoutes(app, count);
  else (PROGRAMS[name] ?? unknown(name))({ app, express, log, files });
  return app.listen(0, '127.0.0.1');
}

interface Parts {
  app: ReturnType<typeof framework>;
  express: typeof framework;
  log: typeof logger;
  files: string;
}

const hello = ({ app }: Parts): void => {
  app.get('/', (_req, res) => {
    res.send(PAGE);
  });
};
const logged =
  (format: string) =>
  (parts: Parts): void => {
    parts.app.use(parts.log(format, { stream: createWriteStream('/dev/null') }));
    hello(parts);
  };
const files = ({ app, express, files }: Parts): void => {
  app.use(express.static(files));
};

const PROGRAMS: Readonly<Record<string, (parts: Parts) => void>> = {
  hello,
  json: ({ app }) => {
    app.get('/json', (_req, res) => {
      res.json(RECORD);
    });
  },
  params: ({ app }) => {
    app.get('/lines/:line/trains/:train', (req, res) => {
      const { line, train } = req.params;
      const { fields, limit } = req.query;
      res.json({ line, train, fields, limit });
    });
  },
  middleware: ({ app, express }) => {
    for (let i = 0; i < 10; i++) app.use((_req: unknown, _res: unknown, next: Next) => next());
    const [a, b, c] = [express.Router(), express.Router(), express.Router()] as const;
    c.get('/end', (_req, res) => {
      res.send(PAGE);
    });
    app.use('/a', a.use('/b', b.use('/c', c)));
  },
  subapp: ({ app, express }) => {
    const [a, b, c] = [express(), express(), express()] as const;
    for (const one of [a, b, c]) one.disable('x-powered-by');
    c.get('/', (_req, res) => {
      res.send(PAGE);
    });
    b.use('/c', c);
    a.use('/b', b);
    app.use('/a', a);
  },
  'post-1k': ({ app, express }) => {
    app.post('/', express.json({ limit: '1mb' }), (_req, res) => {
      res.send('ok');
    });
  },
  form: ({ app, express }) => {
    app.post('/', express.urlencoded({ extended: false }), (_req, res) => {
      res.send('ok');
    });
  },
  headers: ({ app }) => {
    app.get('/', (_req, res) => {
      for (let i = 1; i <= 12; i++) res.set(`X-Field-${i}`, `value ${i}`);
      res.send(PAGE);
    });
  },
  'no-etag': (parts) => {
    parts.app.disable('etag');
    hello(parts);
  },
  'logged-combined': logged('combined'),
  'logged-dev': logged('dev'),
  'static-10k': files,
  'static-1m': files,
  'static-range': files,
  'static-304': files,
  get 'post-100k'() {
    return PROGRAMS['post-1k'] as (parts: Parts) => void;
  },
};

function addRoutes(app: Parts['app'], count: number): void {
  for (let i = 0; i < count; i++) {
    app.get(routePath(i), (req, res) => {
      res.send(`${i}:${req.params.id}`);
    });
  }
}

function unknown(name: string): never {
  throw new Error(`no program for the workload ${name}`);
}
