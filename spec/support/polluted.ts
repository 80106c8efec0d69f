/**
 * Adds the given names to `Object.prototype`, with values of several types, while a new application is created and
 * responds. Several names at a time: only if a response differs from those without the names, half of them, and so on, so
 * that each name that changes a response is found. Prints as JSON the names that it has added, and the responses with
 * those that change one, by name. Arguments: the module of the framework, and the names: commas between those that are
 * added at a time, semicolons otherwise.
 *
 * A child process, because Express may stay broken after such a name.
 */
import http, { type RequestListener } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import type nozomi from 'nozomi';

const framework = require(process.argv[2] as string) as typeof nozomi;
const groups = process.argv[3]?.split(';').map((group) => group.split(',')) ?? [];
/** A name that no code reads. */
const UNREAD = 'unread';

const ROOT = join(__dirname, '..', '..');

/** One value for each way to use an option: as a text or flag, as a number, by its members, and as a function. */
const VALUES: readonly unknown[] = ['polluted', 7, { 'X-P': '1' }, () => 'polluted'];

function create(): RequestListener {
  const app = framework();
  app.use((_req, _res, next) => next());
  app.use(framework.json());
  app.get('/text', (req, res) => void res.cookie('a', 'b').send(`text of ${req.path} ${req.query.a}`));
  app.get('/users/:id', (req, res) => void res.json({ id: req.params.id }));
  app.post('/', (req, res) => void res.send(req.body));
  app.get('/error', () => {
    throw Object.assign(new Error('failed'), { status: 418, stack: 'stack' });
  });
  // Express 3 has only `sendfile`, and Express 5 only `sendFile`.
  const send = 'sendFile' in framework.response ? 'sendFile' : 'sendfile';
  app.get('/file', (_req, res) => Reflect.apply(Reflect.get(res, send), res, ['LICENSE', { root: ROOT }]));
  app.get('/moved', (_req, res) => res.redirect('/text'));
  app.get('/range', (req, res) => void res.json([req.range(9), req.accepts('html'), req.is('json'), req.ip]));
  app.use('/sub', framework().use('/files', framework.static(ROOT)));
  app.use(
    '/sub',
    framework().get('/', (req, res) => void res.format({ html: () => res.send(req.baseUrl) })),
  );
  return app;
}

const END = 'Host: a\r\n\r\n';
const REQUESTS: readonly string[] = [
  `GET /text?a=1 HTTP/1.1\r\n${END}`,
  `GET /users/7 HTTP/1.1\r\n${END}`,
  `POST / HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 7\r\n${END}{"a":1}`,
  `GET /none HTTP/1.1\r\n${END}`,
  `GET /n%C3%B6ne HTTP/1.1\r\n${END}`,
  `GET /error HTTP/1.1\r\n${END}`,
  `GET /% HTTP/1.1\r\n${END}`,
  `GET /file HTTP/1.1\r\n${END}`,
  `GET /moved HTTP/1.1\r\n${END}`,
  `GET /range HTTP/1.1\r\n${END}`,
  `GET /sub/files/none HTTP/1.1\r\n${END}`,
  `GET /sub HTTP/1.1\r\n${END}`,
];

/** A client of one connection, which it opens again when it is closed. */
class Client {
  #socket: Socket | undefined;
  #isWhole: (text: string) => boolean = () => false;
  #text = '';
  #done: (text: string) => void = () => undefined;
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  connect(): Promise<void> {
    if (this.#socket && !this.#socket.destroyed && !this.#socket.readableEnded) return Promise.resolve();
    return new Promise((resolve) => {
      const socket = net.connect(this.#port, '127.0.0.1', resolve);
      this.#socket = socket.setEncoding('latin1').on('error', () => undefined);
      socket.on('data', (chunk) => {
        this.#text += chunk;
        if (this.#isWhole(this.#text)) this.#done(this.#text);
      });
      socket.on('close', () => {
        if (this.#socket === socket) this.#done(`${this.#text} closed`);
      });
    });
  }

  /** Ends the current request, and closes the connection. */
  fail(error: Error): void {
    this.#done(`uncaught ${error.name}`);
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  /** Returns the response without what differs from run to run. */
  async send(request: string): Promise<string> {
    this.#text = '';
    this.#isWhole = (text) => {
      const length = /\r\nContent-Length: (\d+)\r\n/i.exec(text);
      const head = text.indexOf('\r\n\r\n');
      return head !== -1 && text.length >= head + 4 + Number(length?.[1] ?? Number.NaN);
    };
    const text = await new Promise<string>((resolve) => {
      this.#done = resolve;
      this.#socket?.write(request);
    });
    return text
      .replace(/^(Date|Last-Modified|ETag|X-Powered-By|Keep-Alive): .*\r\n/gim, '')
      .replace(/Expires=[^;\r]*/g, 'Expires');
  }
}

async function main(): Promise<void> {
  console.error = () => undefined;
  const responses: Record<string, string[]> = {};
  let respond: RequestListener = () => undefined;
  const server = http.createServer((req, res) => respond(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new Client((server.address() as AddressInfo).port);
  process.on('uncaughtException', (error) => client.fail(error));
  const responsesWith = async (added: readonly string[]): Promise<string[]> => {
    const found: string[] = [];
    for (const value of VALUES) {
      // Without a prototype, which has names of descriptors now and then.
      const descriptor: PropertyDescriptor = Object.assign(Object.create(null), {
        value,
        configurable: true,
        writable: true,
      });
      let app: RequestListener | undefined;
      respond = (req, res) => {
        try {
          app ??= create();
          app(req, res);
        } catch (error) {
          res.writeHead(500, { 'Content-Length': 0, 'X-Threw': (error as Error).name }).end();
        }
      };
      for (const request of REQUESTS) {
        await client.connect();
        for (const name of added) Object.defineProperty(Object.prototype, name, descriptor);
        const response = await client.send(request);
        for (const name of added) Reflect.deleteProperty(Object.prototype, name);
        found.push(response);
      }
    }
    return found;
  };
  const usual = await responsesWith([UNREAD]);
  const added: string[] = [];
  const judge = async (some: readonly string[]): Promise<void> => {
    const found = await responsesWith(some);
    const isUsual = found.every((response, index) => response === usual[index]);
    const [first = UNREAD] = some;
    if (isUsual || some.length === 1) added.push(...some);
    if (isUsual) return;
    if (some.length === 1) {
      responses[first] = found;
      return;
    }
    const half = Math.ceil(some.length / 2);
    await judge(some.slice(0, half));
    await judge(some.slice(half));
  };
  for (const group of groups) await judge(group);
  const result = { added, usual, responses };
  process.stdout.write(JSON.stringify(result), () => process.exit());
}

main();
