import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { readRequests } from '../../parity/application/traffic';
import { playSteps } from '../../parity/client/exchange';
import { COMMAND, ROOT } from './command';

export const BOOKSHOP = join(ROOT, 'examples', 'bookshop');

/** Records examples/bookshop with `nozomi-parity record`, while its requests are sent, and ends it with SIGINT. */
export async function recordBookshop(file: string): Promise<void> {
  const child = spawn(process.execPath, [COMMAND, 'record', 'app.js', '-o', file], {
    cwd: BOOKSHOP,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const port = await new Promise<number>((resolve) => {
    child.stdout.on('data', (chunk) => {
      const found = /on port (\d+)/.exec(String(chunk))?.[1];
      if (found) resolve(Number(found));
    });
  });
  await playSteps(readRequests(join(BOOKSHOP, 'traffic.http')).requests, { port, patience: 400 });
  const ended = once(child, 'close');
  child.kill('SIGINT');
  await ended;
}
