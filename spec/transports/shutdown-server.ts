/**
 * The servers of `graceful.spec.ts` in a child process, which SIGTERM ends. The first argument is the deadline; each
 * further one is the name of a server in SERVERS. Sends the ports to the parent process, and before it exits the number
 * of timers of 10 ms that it ran after the deadline. The message `release` completes the requests for `/held`.
 */
import type { Server } from 'node:net';
import { graceful } from 'nozomi/graceful';
import { portOf } from '../support/serve';
import { application, SERVERS, startServer } from './shutdown-clients';

const [deadline, ...names] = process.argv.slice(2);
const { app, release } = application();
let turns = 0;

async function start(): Promise<void> {
  const servers: Server[] = [];
  for (const name of names) {
    const server = await startServer(SERVERS[name] as (typeof SERVERS)[string], app);
    server.on('request', () => process.send?.('request'));
    graceful(server, { deadline: Number(deadline), signals: ['SIGTERM'] });
    server.on('close', () => process.send?.('close'));
    servers.push(server);
  }
  process.on('SIGTERM', () => {
    setTimeout(() => setInterval(() => turns++, 10), Number(deadline));
  });
  process.on('exit', () => process.send?.({ turns }));
  process.on('message', (message) => {
    if (message === 'release') release();
    // Blocks the event loop until clients have connected, so that their connections wait.
    if (message === 'block') {
      process.send?.('blocked');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    }
  });
  process.on('disconnect', () => process.exit(2));
  process.send?.({ ports: servers.map(portOf) });
}

void start();
