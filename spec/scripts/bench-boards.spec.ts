import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { end, freePort, untilListening } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';

const root = join(__dirname, '..', '..');

/** Installs an entry with this build and starts it, then sends the requests. @returns Status and body of each. */
async function responses(
  board: string,
  file: string,
  requests: ReadonlyArray<readonly [path: string, init?: RequestInit]>,
): Promise<string[]> {
  const folder = temporaryFolder('board');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'nozomi'));
  copyFileSync(join(root, 'scripts', 'bench', 'boards', board, file), join(folder, file));
  const port = await freePort();
  let child: ChildProcess | undefined;
  try {
    child = spawn(process.execPath, [file], { cwd: folder, env: { ...process.env, PORT: String(port) } });
    await untilListening(port, child);
    const seen: string[] = [];
    for (const [path, init] of requests) {
      const res = await fetch(`http://127.0.0.1:${port}${path}`, init);
      seen.push(`${res.status} ${await res.text()}`);
    }
    return seen;
  } finally {
    if (child) await end(child);
  }
}

describe('the entries for public benchmarks', () => {
  it('the-benchmarker: responds to its three requests', async () => {
    const requests = [['/'], ['/user/42'], ['/user', { method: 'POST' }]] as const;

    expect(await responses('the-benchmarker', 'app.js', requests)).to.deep.equal(['200 ', '200 42', '200 ']);
  });

  it('HttpArena: adds the numbers of the query and the body', async () => {
    const sum = '/baseline11?a=13&b=42';
    const requests = [['/pipeline'], [sum], [sum, { method: 'POST', body: '20' }]] as const;

    expect(await responses('HttpArena', 'server.js', requests)).to.deep.equal(['200 ok', '200 55', '200 75']);
  });
});
