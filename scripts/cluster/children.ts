/** Starts and ends the processes that the cluster check needs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { untilListening } from '../../parity/harness/processes';
import { untilResponding } from './load';

/** The folder of the example. */
export const EXAMPLE = join(__dirname, '..', '..', 'examples', 'cluster');

/** Starts one process of the example, and waits until it is ready. */
export async function startServer(port: number, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['server.js'], {
    cwd: EXAMPLE,
    env: { ...env, PORT: `${port}` },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await untilResponding(port, '/ready');
  return child;
}

export async function startRedis(port: number, folder: string): Promise<ChildProcess> {
  const options = `--port ${port} --bind 127.0.0.1 --appendonly no`
    .split(' ')
    .concat('--save', '', '--dir', folder);
  const redis = spawn('redis-server', options, { stdio: ['ignore', 'ignore', 'inherit'] });
  await untilListening(port, redis);
  return redis;
}
