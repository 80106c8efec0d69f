// Restarts two cluster workers one after the other behind nginx, under load, and counts what was lost. Run before a
// release, after the build, where nginx is installed (Debian: apt-get install nginx-light):
//
//   npm run rolling-restart -- --rounds 3
//
// Every answer must be 200, with the client's address and the host it named, as nginx forwards them. Exit code 1 when
// one is not; 2 without nginx.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { removeFolder, temporaryFolder } from '../parity/temporary-folder';
import { runCommand, toCount } from './command';

/** Milliseconds nginx keeps an idle connection to a worker; a worker that ends waits longer. */
const KEPT = 500;
const CLIENTS = 8;

runCommand({
  name: 'rolling-restart',
  file: __filename,
  options: { rounds: { type: 'string', default: '3' } },
  run: ({ values }) => restart(toCount('rounds', values.rounds)),
});

async function restart(rounds: number): Promise<boolean> {
  if (spawnSync('nginx', ['-v']).status !== 0) throw new Error('wanted nginx on the PATH, found none');
  const [front, back] = [await freePort(), await freePort()];
  const folder = temporaryFolder('nginx');
  cluster.setupPrimary({
    exec: join(__dirname, '..', 'examples', 'graceful-end', 'worker.ts'),
    execArgv: ['--import', pathToFileURL(require.resolve('tsx')).href],
  });
  const nginx = startNginx(folder, front, back);
  try {
    let workers: Worker[] = await Promise.all([startWorker(back), startWorker(back)]);
    await untilAnswered(front);
    const load = startLoad(front);
    const pids = new Set(workers.map(({ process: { pid } }) => pid));
    for (let round = 0; round < rounds; round++) {
      const next: Worker[] = [];
      for (const old of workers) {
        next.push(await startWorker(back));
        const gone = once(old, 'exit');
        old.send('end');
        await gone;
      }
      workers = next;
      for (const {
        process: { pid },
      } of workers)
        pids.add(pid);
    }
    const { requests, lost, seen } = await load.stop();
    for (const worker of workers) worker.process.kill('SIGTERM');
    console.log(
      `${requests} requests while ${pids.size - 2} workers replaced others, answered by ${seen.size} of ${pids.size}`,
    );
    console.log(`${lost.length} lost`);
    for (const what of new Set(lost)) console.log(`  ${what}`);
    return lost.length === 0 && requests > 0;
  } finally {
    nginx.kill('SIGTERM');
    await once(nginx, 'exit');
    removeFolder(folder);
  }
}

async function startWorker(port: number): Promise<Worker> {
  const worker = cluster.fork({ PORT: `${port}`, IDLE: `${2 * KEPT}`, NODE_ENV: 'production' });
  await once(worker, 'listening');
  return worker;
}

function startNginx(folder: string, front: number, back: number): ChildProcess {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 128; }
http {
  access_log off; ${paths.join(' ')}
  upstream workers { server 127.0.0.1:${back}; keepalive 16; keepalive_timeout ${KEPT}ms; }
  server {
    listen 127.0.0.1:${front};
    location / {
      proxy_pass http://workers;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_next_upstream off;
    }
  }
}
`,
  );
  return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Clients that read and write in turn, each on a kept connection to nginx. POST is never sent twice by a proxy. */
function startLoad(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const lost: string[] = [];
  const seen = new Set<number>();
  let requests = 0;
  let isRunning = true;
  const client = async (seed: number): Promise<void> => {
    for (let turn = seed; isRunning; turn++) {
      requests++;
      try {
        const body = turn % 2 === 0 ? undefined : JSON.stringify({ turn });
        const [status, text] = await ask(agent, port, body);
        const told = JSON.parse(text) as { pid?: number; ip?: string; host?: string; turn?: number };
        const isRight =
          body === undefined ? told.ip === '127.0.0.2' && told.host === 'rolling.test' : text === body;
        if (status !== 200 || !isRight) lost.push(`${status} ${text.slice(0, 80)}`);
        if (told.pid) seen.add(told.pid);
      } catch (err) {
        lost.push(`${err}`.slice(0, 80));
      }
      await pause(2);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_none, seed) => client(seed));
  const stop = async () => {
    isRunning = false;
    await Promise.all(clients);
    agent.destroy();
    return { requests, lost, seen };
  };
  return { stop };
}

function ask(agent: Agent | undefined, port: number, body?: string): Promise<[number | undefined, string]> {
  return new Promise((resolve, reject) => {
    const headers = {
      Host: 'rolling.test',
      ...(body && { 'Content-Type': 'application/json', 'Content-Length': body.length }),
    };
    // From another address than nginx's own, so that what it forwards can be told from it.
    const options = {
      ...(agent && { agent }),
      port,
      host: '127.0.0.1',
      localAddress: '127.0.0.2',
      method: body ? 'POST' : 'GET',
      headers,
    };
    const req = request(options, async (res) => {
      let text = '';
      for await (const chunk of res) text += chunk;
      resolve([res.statusCode, text]);
    });
    req.on('error', reject).end(body);
  });
}

async function untilAnswered(port: number): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    const [status] = await ask(undefined, port).catch(() => [0]);
    if (status === 200) return;
    await pause(50);
  }
  throw new Error('nginx and the workers did not answer within 5 s');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
