import fs, { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { playSteps } from '../../parity/client/exchange';
import { aborted, get, post, raw, type Step } from '../../parity/client/request';
import { type Framework, IMPLEMENTATIONS } from '../support/both';
import { filesOf } from '../support/files';
import { PATIENCE } from '../support/play';
import { serving } from '../support/serve';
import { heldBeyond, heldNow } from './held';

type App = ReturnType<Framework>;

interface Place {
  readonly framework: Framework;
  /** The path of a folder with `big.bin`, of 4 MB, and `small.txt`. */
  readonly root: string;
}

interface Fault {
  /** The expected result of `play`, or status and outcome for each of `steps`. The status is 0 without a response. */
  readonly outcome: readonly string[];
  build(place: Place): App;
  readonly steps?: readonly Step[];
  /** Sends the requests, for clients that `steps` cannot express. */
  play?(port: number): Promise<string[]>;
  /** Milliseconds after which the server closes an idle connection. Default: never. */
  timeout?: number;
}

const BIG = 4 * 1024 * 1024;
const slow = (framework: Framework) =>
  framework().get('/', (_req, res) => void setTimeout(() => res.send('late'), 20));
const plain = (framework: Framework) => framework().get('/', (_req, res) => void res.send('hello'));
const files = ({ framework, root }: Place) => framework().use(framework.static(root));
const echo = ({ framework }: Place) =>
  framework().post('/', framework.json(), (req, res) => void res.json(req.body));
const broken = (errno: string) => Object.assign(new Error(errno), { code: errno });

const FAULTS: Readonly<Record<string, Fault>> = {
  'the client disconnects within the head': {
    outcome: ['0 left'],
    build: ({ framework }) => plain(framework),
    steps: [aborted(get('/'), 10)],
  },
  'the client disconnects within the body': {
    outcome: ['0 left'],
    build: echo,
    steps: [
      aborted(
        raw('POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"'),
        'sent',
      ),
    ],
  },
  'the client disconnects while the handler works': {
    outcome: ['0 left'],
    build: ({ framework }) => slow(framework),
    steps: [aborted(get('/'), 'sent')],
  },
  'the client disconnects while a file is sent': {
    outcome: ['200 left', '206 left'],
    build: (place) => files(place),
    steps: [aborted(get('/big.bin'), 'head'), aborted(get('/big.bin', { Range: 'bytes=1-' }), 'head')],
  },
  'the client disconnects while a handler streams': {
    outcome: ['200 left'],
    build: ({ framework }) =>
      framework().get(
        '/',
        (_req, res) =>
          void new Readable({
            read() {
              this.push('x'.repeat(65_536));
            },
          }).pipe(res),
      ),
    steps: [aborted(get('/'), 'head')],
  },
  'the client ends its side of the connection': {
    outcome: ['200 hello'],
    build: ({ framework }) => plain(framework),
    play: (port) =>
      talk(port, async (write, end) => {
        write('GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
        end();
      }),
  },
  'the client sends byte by byte': {
    outcome: ['200 {"a":1}'],
    build: echo,
    async play(port) {
      const text =
        'POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}';
      return talk(port, async (write) => {
        for (const byte of text) {
          write(byte);
          await pause(0);
        }
      });
    },
  },
  'the client reads slowly': {
    outcome: [`200 ${BIG} bytes`],
    build: (place) => files(place),
    play: readSlowly,
  },
  'open() of a file fails for lack of descriptors': {
    outcome: ['500 kept', '200 kept'],
    build: (place) => withFault('open', files(place)),
    steps: [get('/small.txt'), get('/small.txt')],
  },
  'stat() of a file fails for lack of descriptors': {
    outcome: ['500 kept', '200 kept'],
    build: (place) => withFault('stat', files(place)),
    steps: [get('/small.txt'), get('/small.txt')],
  },
  'a view engine throws, synchronously or later': {
    outcome: ['500 kept', '500 kept'],
    build({ framework, root }) {
      const app = framework().set('views', root).set('view engine', 'txt');
      let calls = 0;
      app.engine('txt', (_path, _options, done) => {
        if (calls++ === 0) throw new Error('at once');
        setImmediate(done, new Error('late'));
      });
      return app.get('/', (_req, res) => res.render('small'));
    },
    steps: [get('/'), get('/')],
  },
  'next is called twice': {
    outcome: ['200 kept'],
    build({ framework }) {
      const app = framework().use((_req, _res, next) => {
        next();
        setTimeout(next, 1);
      });
      return app.get('/', (_req, res, next) => (res.headersSent ? next() : void res.send('once')));
    },
    steps: [get('/')],
  },
  'a response is sent twice': {
    outcome: ['200 closed'],
    build: ({ framework }) => framework().get('/', (_req, res) => void res.send('one').send('two')),
    steps: [get('/', { Connection: 'close' })],
  },
  'a handler throws after it has begun the response': {
    outcome: ['0 closed'],
    build: ({ framework }) =>
      framework().get('/', (_req, res) => {
        res.write('begun');
        throw new Error('late');
      }),
    steps: [get('/')],
  },
  'a handler rejects after the client has disconnected': {
    outcome: ['0 left'],
    build: ({ framework }) =>
      framework().get('/', async () => {
        await pause(20);
        throw new Error('late');
      }),
    steps: [aborted(get('/'), 'sent')],
  },
  'a handler never responds, and the server has a timeout': {
    outcome: ['0 closed'],
    build: ({ framework }) => framework().get('/', () => undefined),
    timeout: 50,
    steps: [get('/')],
  },
  'a body never ends, and the server has a timeout': {
    outcome: ['0 closed'],
    build: echo,
    timeout: 50,
    steps: [
      raw('POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'),
    ],
  },
  'a stream fails in the middle of a response': {
    outcome: ['200 closed'],
    build: ({ framework }) =>
      framework().get('/', (_req, res, next) => {
        const source = Readable.from(
          (async function* parts() {
            yield 'begun';
            throw new Error('late');
          })(),
        );
        source.on('error', next).pipe(res);
      }),
    steps: [get('/')],
  },
  'many clients disconnect within a body': {
    outcome: Array(20).fill('0 left'),
    build: echo,
    steps: Array.from({ length: 20 }, (_none, index) =>
      aborted(post('/', { a: 'x'.repeat(2000) }), 150 + 90 * index),
    ),
  },
};

describe('an application with a fault', () => {
  for (const [what, fault] of Object.entries(FAULTS)) {
    for (const implementation of ['build', 'reference'] as const) {
      const who = implementation === 'build' ? 'nozomi' : 'Express';
      it(`on ${who} responds to the next request and leaks no resource if ${what}`, async () => {
        // The first folder adds listeners to `process`.
        const root = filesOf({ 'small.txt': 'x'.repeat(1000), 'big.bin': '' });
        const before = await heldNow();
        writeFileSync(join(root, 'big.bin'), Buffer.alloc(BIG));
        const app = fault.build({ framework: IMPLEMENTATIONS[implementation], root }).set('env', 'test');
        app.get('/alive', (_req, res) => void res.send('alive'));

        await servingAlone(app, async (server, port) => {
          server.setTimeout(fault.timeout ?? 0);
          const outcome = fault.play ? await fault.play(port) : await outcomesOf(port, fault.steps ?? []);
          expect(outcome).to.deep.equal(fault.outcome);
          // The next request has no time limit, because the machine may be busy.
          server.setTimeout(0);
          expect(await outcomesOf(port, [get('/alive')])).to.deep.equal(['200 kept']);
        });
        expect(await heldBeyond(before)).to.deep.equal({});
      });
    }
  }
});

async function servingAlone(app: App, run: (server: Server, port: number) => Promise<void>): Promise<void> {
  const server = createServer(app);
  await serving(server, async (port) => {
    await run(server, port);
    // The server must have closed all connections.
    const left = async () =>
      new Promise<number>((resolve) => server.getConnections((_err, count) => resolve(count)));
    const end = performance.now() + PATIENCE;
    while ((await left()) > 0 && performance.now() < end) await pause(5);
    expect(await left()).to.equal(0);
  });
}

async function outcomesOf(port: number, steps: readonly Step[]): Promise<string[]> {
  const exchanges = await playSteps(steps, { port, patience: PATIENCE });
  return exchanges.map(({ response, outcome }) => `${response.status ?? 0} ${outcome}`);
}

/** Writes to a socket, and reads the response. @returns Its status and its body. */
async function talk(
  port: number,
  speak: (write: (text: string) => void, end: () => void) => Promise<void>,
): Promise<string[]> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
  const ended = new Promise((resolve) => socket.once('end', resolve));
  await speak(
    (text) => socket.write(text),
    () => socket.end(),
  );
  await ended;
  socket.destroy();
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return [`${head.split(' ')[1]} ${body}`];
}

/** Requests `big.bin` with a client that pauses for 1 ms after each chunk. @returns The number of body bytes. */
async function readSlowly(port: number): Promise<string[]> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write('GET /big.bin HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  let status = '';
  let bytes = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    if (status === '') {
      status = chunk.toString('latin1').split(' ', 2)[1] ?? '';
      bytes -= chunk.indexOf('\r\n\r\n') + 4;
    }
    bytes += chunk.length;
    await pause(1);
  }
  return [`${status} ${bytes} bytes`];
}

/** Makes the first call of a function of `node:fs` after the first request fail with EMFILE. */
function withFault(name: 'open' | 'stat', app: App): App {
  const real = fs[name];
  const fail = (...args: unknown[]): void => {
    Object.assign(fs, { [name]: real });
    process.nextTick(args.at(-1) as (err: Error) => void, broken('EMFILE'));
  };
  const outer = app;
  const { handle } = outer as unknown as { handle: (...args: unknown[]) => unknown };
  let isArmed = true;
  Object.assign(outer, {
    handle(...args: unknown[]) {
      if (isArmed) Object.assign(fs, { [name]: fail });
      isArmed = false;
      return Reflect.apply(handle, outer, args);
    },
  });
  return outer;
}
