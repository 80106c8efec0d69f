// Restarts the processes of examples/cluster one after the other under load, and checks that no request fails. nginx
// forwards the requests, and Redis stores the sessions. Run this script before a release, after a build. It needs nginx
// and redis-server (Debian: apt-get install nginx-light redis-server). The first run installs PM2 from npm.
//
//   npm run check -- cluster                          separate processes, node:cluster, PM2, then the checks below
//   npm run check -- cluster --rounds 3 processes  only separate processes, each replaced three times
//   npm run check -- cluster --requests 100000 node:cluster  replaces processes until there were so many requests
//
// Every response must have status 200, contain the address and host that nginx forwards and the body of a POST, and
// continue the counter in its client's session. While Redis hangs or is gone, requests must get status 503, and SIGTERM
// must still end the process. A client has as many attempts as the limit allows, whatever process it meets. The manifest
// for Kubernetes fits its schemas. Exit code 1 if a check fails, or if a process was not replaced; 2 if nginx or redis-server
// is missing.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { install } from '../../parity/harness/packages';
import { end, freePort } from '../../parity/harness/processes';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { programOf } from '../../spec/support/programs';
import { runCommand, toCount, toNames } from '../command';
import { EXAMPLE, startRedis, startServer } from './children';
import { startLoad, untilResponding } from './load';
import { isManifestValid } from './manifest';
import { endureOutages } from './outages';
import { haveSharedLimit } from './shared';

/**
 * For how many milliseconds a process that shuts down keeps idle connections. nginx closes them after half that time.
 */
const IDLE = 1000;
const PROCESSES = 3;

const execute = promisify(execFile);

/** A way to run several processes of the example. */
interface Way {
  /** Starts the processes. @returns The ports to which nginx forwards requests. */
  start(env: NodeJS.ProcessEnv): Promise<number[]>;
  /** Replaces each process once, one after the other. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

const WAYS: Readonly<Record<string, () => Way>> = { processes, 'node:cluster': nodeCluster, PM2: pm2 };
/** Further checks by name. */
const OTHERS: Readonly<Record<string, (env: NodeJS.ProcessEnv, folder: string) => Promise<boolean>>> = {
  outages: endureOutages,
  limits: haveSharedLimit,
  manifest: isManifestValid,
};
const CHECKS = [...Object.keys(WAYS), ...Object.keys(OTHERS)];

runCommand({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '2' },
    requests: { type: 'string', default: '1' },
  },
  async run({ values, positionals }) {
    const least = {
      rounds: toCount('rounds', values.rounds),
      requests: toCount('requests', values.requests),
    };
    const chosen = positionals.length > 0 ? toNames(positionals, CHECKS) : CHECKS;
    for (const program of ['nginx', 'redis-server'] as const) programOf(program);
    install(__dirname, 'cluster');

    const folder = temporaryFolder('cluster');
    const redisPort = await freePort();
    const redis = await startRedis(redisPort, folder);
    try {
      let isGood = true;
      for (const name of chosen) {
        const env = {
          ...process.env,
          NODE_ENV: 'production',
          IDLE: `${IDLE}`,
          REDIS_URL: `redis://127.0.0.1:${redisPort}`,
        };
        const holds = OTHERS[name]?.(env, folder) ?? restartUnderLoad(name, env, least, folder);
        if (!(await holds)) isGood = false;
      }
      return isGood;
    } finally {
      await end(redis);
      removeFolder(folder);
    }
  },
});

async function restartUnderLoad(
  name: string,
  env: NodeJS.ProcessEnv,
  least: { readonly rounds: number; readonly requests: number },
  folder: string,
): Promise<boolean> {
  const way = (WAYS[name] as () => Way)();
  let nginx: ChildProcess | undefined;
  try {
    const ports = await way.start(env);
    const front = await freePort();
    nginx = startNginx(folder, front, ports);
    await untilResponding(front, '/ready');
    const load = startLoad(front);
    await pause(500);
    let rounds = 0;
    for (; rounds < least.rounds || load.requests < least.requests; rounds++) await way.restart();
    await pause(500);
    const { requests, clients, failures, pids, fewest } = await load.stop();
    console.log(
      `${name}: ${requests} requests while ${rounds * PROCESSES} processes were replaced, ${failures.length} failed; ` +
        `${clients} sessions, each served by ${fewest} or more of ${pids} processes`,
    );
    for (const failure of [...new Set(failures)].slice(0, 10)) console.log(`  ${failure}`);
    return failures.length === 0 && pids === PROCESSES * (rounds + 1);
  } finally {
    if (nginx) {
      nginx.kill('SIGTERM');
      await once(nginx, 'exit');
    }
    await way.stop();
  }
}

/** Runs each process on its own port. Its replacement listens on the same port. */
function processes(): Way {
  let running: { port: number; child: ChildProcess }[] = [];
  let env: NodeJS.ProcessEnv;
  const startAt = async (port: number) => ({ port, child: await startServer(port, env) });
  return {
    async start(given) {
      env = given;
      for (let count = 0; count < PROCESSES; count++) running.push(await startAt(await freePort()));
      return running.map(({ port }) => port);
    },
    async restart() {
      const next: typeof running = [];
      for (const { port, child } of running) {
        await end(child);
        next.push(await startAt(port));
        // Wait longer than `fail_timeout`: for that time, nginx avoids a process that refused a connection.
        await pause(1200);
      }
      running = next;
    },
    async stop() {
      await Promise.all(running.map(({ child }) => end(child)));
    },
  };
}

function nodeCluster(): Way {
  let primary: ChildProcess;
  const heard: string[] = [];
  const untilSaid = async (word: string, times: number) => {
    while (heard.filter((line) => line === word).length < times) await pause(50);
  };
  let restarts = 0;
  return {
    async start(env) {
      const port = await freePort();
      primary = spawn(process.execPath, ['primary.js'], {
        cwd: EXAMPLE,
        env: { ...env, PORT: `${port}`, WORKERS: `${PROCESSES}` },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      primary.stdout?.on('data', (chunk) => heard.push(...String(chunk).trim().split('\n')));
      await untilSaid('started', 1);
      return [port];
    },
    async restart() {
      primary.kill('SIGHUP');
      await untilSaid('restarted', ++restarts);
    },
    stop: () => end(primary),
  };
}

function pm2(): Way {
  const home = temporaryFolder('pm2');
  const program = join(__dirname, 'node_modules', 'pm2', 'bin', 'pm2');
  let env: NodeJS.ProcessEnv;
  // Run PM2 asynchronously, because this process keeps sending requests.
  const run = (...args: string[]) => execute(process.execPath, [program, ...args], { cwd: EXAMPLE, env });
  return {
    async start(given) {
      const port = await freePort();
      env = { ...given, PM2_HOME: home, PORT: `${port}`, WORKERS: `${PROCESSES}` };
      await run('start', 'ecosystem.config.cjs');
      return [port];
    },
    async restart() {
      await run('reload', 'cluster');
    },
    async stop() {
      await run('kill');
      removeFolder(home);
    },
  };
}

/** Starts nginx in the foreground, with the configuration of the example and other ports. */
function startNginx(folder: string, front: number, ports: readonly number[]): ChildProcess {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const servers = ports.map(
    (port) => `    server 127.0.0.1:${port} max_fails=${ports.length > 1 ? 1 : 0} fail_timeout=1s;`,
  );
  const configuration = readFileSync(join(EXAMPLE, 'nginx.conf'), 'utf8')
    .replace(/( {4}server 127.*\n)+/, `${servers.join('\n')}\n`)
    .replace('listen 8080', `listen 127.0.0.1:${front}`)
    .replace('keepalive_timeout 4s', `keepalive_timeout ${IDLE / 2}ms`)
    .replace(
      'worker_processes auto;',
      `worker_processes 1; daemon off; pid ${folder}/pid; error_log ${folder}/error.log;`,
    )
    // With one port, nginx has no other server to retry a request with.
    .replace('proxy_next_upstream error', `proxy_next_upstream ${ports.length > 1 ? 'error' : 'off'}`)
    .replace('http {', `http {\n  access_log off; ${paths.join(' ')}`);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration);
  return spawn('nginx', ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] });
}
