import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type ClientRequest, createServer, get as httpGet, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import framework from 'nozomi';
import { graceful } from 'nozomi/graceful';
import { portOf, serverOf } from '../support/serve';
import { application, BEHAVIOURS, fits, SERVERS, type Target } from './shutdown-clients';

const root = join(__dirname, '../..');

describe('graceful()', () => {
  it('keeps idle connections open for a proxy, and responds to the last request on each', async () => {
    const app = framework().get('/', (_req, res) => void res.send('done'));
    const server = await serverOf(createServer(app));
    const port = portOf(server);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });

    await ask(agent, port, '/');
    // These times are so long that the shutdown ends earlier, with the last connection.
    const end = graceful(server, { idle: 60_000, deadline: 60_000 })();
    await pause(120);

    expect(await ask(agent, port, '/')).to.deep.equal([200, 'done', 'close']);
    await end;
    agent.destroy();
  });

  it('completes running requests on SIGTERM, and the process exits with 0', async () => {
    const { worker, port } = await startWorker();
    const running = await begun(port, '/slow');
    worker.kill('SIGTERM');

    expect(await running.response).to.include.members([200, 'slow']);
    expect(await exitOf(worker)).to.deep.equal([0, null]);
  });

  for (const name of Object.keys(SERVERS)) {
    it(`ends the process at the deadline, whatever its clients do (${name})`, async () => {
      const deadline = 600;
      const child = startChild(deadline, name);
      const { ports } = await child.heard<{ ports: number[] }>();
      const clients = await Promise.all(
        Object.values(BEHAVIOURS)
          .filter((behaviour) => fits(behaviour, name) && behaviour.ends === false)
          .map(({ connect }) => connect(targetOf(ports[0] as number, name))),
      );
      const began = performance.now();
      child.worker.kill('SIGTERM');

      const { turns } = await child.heard<{ turns: number }>(isTurns);
      expect(await exitOf(child.worker)).to.deep.equal([0, null]);
      expect(performance.now() - began).to.be.above(deadline - 10);
      // Turns of the event loop, because a busy machine stretches milliseconds.
      expect(turns).to.be.below(50);
      for (const client of clients) client.destroy();
    });
  }

  it('ends the process when the last of its servers has completed its requests', async () => {
    const child = startChild(60_000, 'app.listen', 'app.listen', 'nozomi/http2 without TLS');
    const { ports } = await child.heard<{ ports: number[] }>();
    const requested = child.heard((message) => message === 'request');
    const running = ask(new Agent(), ports[0] as number, '/held');
    await requested;
    const closed = child.heard((message) => message === 'close', 2);
    child.worker.kill('SIGTERM');
    await closed;
    child.worker.send('release');

    expect(await running).to.deep.equal([200, 'done', 'close']);
    expect(await exitOf(child.worker)).to.deep.equal([0, null]);
  });

  it('responds to all requests that clients have sent before SIGTERM', async () => {
    const child = startChild(60_000, 'http.createServer');
    const { ports } = await child.heard<{ ports: number[] }>();
    const blocked = child.heard((message) => message === 'blocked');
    child.worker.send('block');
    await blocked;
    const requests = Array.from({ length: 40 }, () => {
      const socket = connect(ports[0] as number, '127.0.0.1');
      const sent = new Promise((resolve, reject) => {
        socket.on('error', reject).write('GET / HTTP/1.1\r\nHost: spec.test\r\n\r\n', resolve);
      });
      return { sent, response: text(socket) };
    });
    await Promise.all(requests.map(({ sent }) => sent));
    child.worker.kill('SIGTERM');

    for (const { response } of requests) expect(await response).to.match(/^HTTP\/1\.1 200 OK\r\n.*done$/s);
    expect(await exitOf(child.worker)).to.deep.equal([0, null]);
  });

  it('keeps its deadline when the clock of the machine is set forward or back', async () => {
    const { now } = Date;
    try {
      for (const [hours, deadline] of [
        [1, 60_000],
        [-1, 100],
      ] as const) {
        const { app, release } = application();
        const server = await serverOf(createServer(app as RequestListener));
        const close = graceful(server, { deadline });
        const requested = once(server, 'request');
        const running = ask(new Agent(), portOf(server), '/held');
        await requested;
        const ended = close();
        Date.now = () => now() + hours * 3_600_000;
        if (hours > 0) {
          await pause(200);
          release();
        }

        expect(await running).to.deep.equal(hours > 0 ? [200, 'done', 'close'] : 'ECONNRESET');
        await ended;
        Date.now = now;
      }
    } finally {
      Date.now = now;
    }
  });

  it('completes running requests after an uncaught error, and the process exits with 1', async () => {
    const { worker, port } = await startWorker();
    const running = await begun(port, '/slow');
    await ask(new Agent(), port, '/crash');

    expect(await running.response).to.include.members([200, 'slow']);
    expect(await exitOf(worker)).to.deep.equal([1, null]);
  });
});

/** A client connects to a server in another process, so it can neither wait for its events nor release its responses. */
function targetOf(port: number, name: string): Target {
  return { port, isSecure: SERVERS[name]?.isSecure === true, server: undefined, release: () => undefined };
}

function isTurns(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'turns' in message;
}

interface Child {
  worker: ChildProcess;
  /** Waits for a message, or for the nth one. @throws {Error} if the process ends before. */
  heard<T>(isMeant?: (message: unknown) => boolean, nth?: number): Promise<T>;
}

function startChild(deadline: number, ...names: string[]): Child {
  const worker = fork(join(__dirname, 'shutdown-server.ts'), [`${deadline}`, ...names], {
    execArgv: ['--require', require.resolve('tsx/cjs')],
    env: { ...process.env, NODE_ENV: 'test' },
  });
  return {
    worker,
    heard: <T>(isMeant: (message: unknown) => boolean = () => true, nth = 1) =>
      new Promise<T>((resolve, reject) => {
        let count = 0;
        worker.on('message', (message) => {
          if (isMeant(message) && ++count === nth) resolve(message as T);
        });
        worker.once('exit', (code, signal) => reject(new Error(`the process ended with ${code ?? signal}`)));
      }),
  };
}

async function startWorker(): Promise<{ worker: ChildProcess; port: number }> {
  const worker = fork(join(root, 'examples/graceful-end/worker.ts'), {
    execArgv: ['--require', require.resolve('tsx/cjs')],
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(worker, 'exit').then(([code]) => {
    throw new Error(`the worker ended with ${code} before it called listen`);
  });
  const [{ port }] = (await Promise.race([once(worker, 'message'), ended])) as [{ port: number }];
  return { worker, port };
}

async function exitOf(worker: ChildProcess): Promise<unknown[]> {
  return worker.exitCode === null ? once(worker, 'exit') : [worker.exitCode, worker.signalCode];
}

/** Status, body and the header `Connection`, or the error code if there is no response. */
type ReceivedResponse = unknown[] | string | undefined;

function ask(agent: Agent, port: number, path: string): Promise<ReceivedResponse> {
  return responseTo(httpGet({ agent, port, host: '127.0.0.1', path }));
}

/** Sends a request, and waits for 100 Continue, so that the server has accepted it. */
async function begun(port: number, path: string): Promise<{ response: Promise<ReceivedResponse> }> {
  const headers = { Expect: '100-continue' };
  const req = httpGet({ agent: new Agent(), port, host: '127.0.0.1', path, headers });
  const response = responseTo(req);
  await once(req, 'continue');
  return { response };
}

function responseTo(req: ClientRequest): Promise<ReceivedResponse> {
  return new Promise((resolve) => {
    req.on('response', async (res) => {
      let body = '';
      for await (const chunk of res) body += chunk;
      resolve([res.statusCode, body, res.headers.connection]);
    });
    req.on('error', (err: NodeJS.ErrnoException) => resolve(err.code));
  });
}
