/** Runs the application of each clause in spec/express4.json with Express 4 and with `nozomi/4`. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { setFileTimes } from '../../parity/scenario/file-times';
import { areas, clauses } from '../express4.json';
import type { Played } from './play';

/** Runs all applications with one implementation, in a child process. */
async function play(implementation: string): Promise<Played> {
  const child: ChildProcess = fork(join(__dirname, 'play.ts'), [implementation], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [played] = await once(child, 'message');
  return played;
}

describe('the clauses of Express 4, on Express 4 and nozomi/4', () => {
  let ofExpress: Played;
  let ofNozomi: Played;

  before(async () => {
    await setFileTimes();
    [ofExpress, ofNozomi] = await Promise.all([play('express4'), play('nozomi/4')]);
  });

  it('list the same requests as the applications send, from which scenarios are made', () => {
    const named = Object.fromEntries(clauses.map(({ id, requests }) => [id, requests]));

    expect(ofExpress.requests, 'npm run express4-requests').to.deep.equal(named);
  });

  for (const { letter, title } of areas) {
    describe(title, () => {
      for (const { id, area, text, express4 } of clauses) {
        if (area !== letter) continue;
        it(`${text} [${id}]`, () => {
          expect(withoutPosition(ofExpress.results[id]), 'Express 4').to.equal(express4);
          expect(withoutPosition(ofNozomi.results[id]), 'nozomi/4').to.equal(express4);
        });
      }
    });
  }
});

/** Removes the line and column that some versions of Node.js add to the errors of `JSON.parse`. */
function withoutPosition(result: string | undefined): string | undefined {
  return result?.replace(/ \(line \d+ column \d+\)/g, '');
}
