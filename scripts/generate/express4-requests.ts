// Records which requests the program of each clause in spec/express4.json sends to Express 4.22.3, and writes them to that
// file. The scenarios of spec/9-express4 send the same requests, and fail if the program sends others. Run this script after a
// change to a program.
//
//   npm run generate -- express4-requests && npm run format
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFileTimes } from '../../parity/scenario/file-times';
import type { Played } from '../../spec/9-express4/play';
import { runCommand } from '../command';

const SPEC = join(__dirname, '..', '..', 'spec');
const FILE = join(SPEC, 'express4.json');

runCommand({
  async run() {
    await setFileTimes();
    const child = fork(join(SPEC, '9-express4', 'play.ts'), ['express4'], {
      execArgv: ['--require', 'tsx/cjs'],
    });
    const [{ requests }] = (await once(child, 'message')) as [Played];
    const { clauses, ...rest } = JSON.parse(readFileSync(FILE, 'utf8')) as { clauses: Array<{ id: string }> };
    const filled = clauses.map((clause) => ({ ...clause, requests: requests[clause.id] }));
    writeFileSync(FILE, `${JSON.stringify({ ...rest, clauses: filled }, null, 2)}\n`);
    return true;
  },
});
