import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type ClientRequest, createServer, get as httpGet } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import framework from 'nozomi';
import { graceful } from 'nozomi/graceful';
import { heldBeyond, heldNow } from '../security/held';
import { portOf, serverOf } from '../support/serve';

const root = join(__dirname, '../..');

describe('graceful()', () => {
  it('completes running requests, closes their connections, and accepts no new ones', async () => {
    const before = await heldNow();
    const app = framework();
    app.get('/', (req, res) => void setTimeout(() => res.send('done'), Number(req.query.after)));
    const server = await serverOf(createServer(app));
    const port = portOf(server);
    const agent = new Agent({ keepAlive: true });

    expect(await ask(agent, port, '/?after=0')).to.deep.equal([200, 'done', 'keep-alive']);
    const running = ask(agent, port, '/?after=150');
    await once(server, 'request');
    const end = graceful(server)();
    const refused = await ask(new Agent(), port, '/?after=0');

    expect(await running).to.deep.equal([200, 'done', 'keep-alive']);
    expect(refused).to.equal('ECONNREFUSED');
    await end;
    agent.destroy();
    expect(await heldBeyond(before)).to.deep.equal({});
  });

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

  it('aborts requests that still run at the deadline', async () => {
    const app = framework().get('/', () => undefined);
    const server = await serverOf(createServer(app));
    const port = portOf(server);
    const outcome = ask(new Agent(), port, '/');
    await once(server, 'request');
    const began = performance.now();
    await graceful(server, { deadline: 150 })();

    expect(await outcome).to.equal('ECONNRESET');
    // Less than the default deadline of 10 s, so the option has an effect.
    expect(performance.now() - began).to.be.within(140, 8000);
  });

  it('completes running requests on SIGTERM, and the process exits with 0', async () => {
    const { worker, port } = await startWorker();
    const running = await begun(port, '/slow');
    worker.kill('SIGTERM');

    expect(await running.response).to.include.members([200, 'slow']);
    expect(await exitOf(worker)).to.deep.equal([0, null]);
  });

  it('completes running requests after an uncaught error, and the process exits with 1', async () => {
    const { worker, port } = await startWorker();
    const running = await begun(port, '/slow');
    await ask(new Agent(), port, '/crash');

    expect(await running.response).to.include.members([200, 'slow']);
    expect(await exitOf(worker)).to.deep.equal([1, null]);
  });
});

async function startWorker(): Promise<{ worker: ChildProcess; port: number }> {
  const worker = fork(join(root, 'examples/graceful-end/worker.ts'), {
    execArgv: ['--import', pathToFileURL(require.resolve('tsx')).href],
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
