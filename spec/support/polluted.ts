/**
 * Adds each of the given names to `Object.prototype`, one at a time, while a new application is created and responds.
 * Prints the responses as JSON, by name. Arguments: the module of the framework, the names with commas between them.
 *
 * A child process, because Express may stay broken after such a name.
 */
import http, { type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type nozomi from 'nozomi';

const framework = require(process.argv[2] as string) as typeof nozomi;
const names = process.argv[3]?.split(',') ?? [];

function create(): RequestListener {
  const app = framework();
  app.use((_req, _res, next) => next());
  app.use(framework.json());
  app.get('/text', (req, res) => void res.cookie('a', 'b').send(`text of ${req.path} ${req.query.a}`));
  app.get('/users/:id', (req, res) => void res.json({ id: req.params.id }));
  app.post('/', (req, res) => void res.send(req.body));
  return app;
}

const agent = new http.Agent({ keepAlive: true });
const REQUESTS: ReadonlyArray<[method: string, path: string, body?: string]> = [
  ['GET', '/text?a=1'],
  ['GET', '/users/7'],
  ['POST', '/', '{"a":1}'],
  ['GET', '/none'],
];

async function responsesTo(port: number): Promise<string[]> {
  const responses: string[] = [];
  for (const [method, path, body] of REQUESTS) responses.push(await send(port, method, path, body));
  return responses;
}

function send(port: number, method: string, path: string, body?: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = body ? { 'content-type': 'application/json', 'content-length': body.length } : {};
    const req = http.request({ port, host: '127.0.0.1', method, path, headers, agent }, (res) => {
      let text = `${res.statusCode} ${res.headers['content-type']} ${res.headers['set-cookie']} `;
      res.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      res.on('end', () => resolve(text));
    });
    req.on('error', (error) => resolve(error.message)).end(body);
  });
}

function main(): void {
  console.error = () => undefined;
  const responses: Record<string, unknown> = {};
  let respond: RequestListener = () => undefined;
  const server = http
    .createServer((req, res) => respond(req, res))
    .listen(0, '127.0.0.1', async () => {
      const { port } = server.address() as AddressInfo;
      for (const name of names) {
        let app: RequestListener | undefined;
        respond = (req, res) =>
          withName(
            name,
            () => {
              app ??= create();
              app(req, res);
            },
            res,
          );
        responses[name] = await responsesTo(port);
      }
      process.stdout.write(JSON.stringify(responses), () => process.exit());
    });
}

/**
 * Runs a function while `Object.prototype` has a property with this name. Removes it before Node.js continues, which also
 * reads some of these names.
 */
function withName(name: string, run: () => void, res: ServerResponse): void {
  Object.defineProperty(Object.prototype, name, { value: 'polluted', configurable: true, writable: true });
  try {
    run();
  } catch (error) {
    Reflect.deleteProperty(Object.prototype, name);
    res.writeHead(500).end(`threw ${(error as Error).name}`);
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
}

main();
