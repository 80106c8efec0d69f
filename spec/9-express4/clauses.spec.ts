/**
 * The clauses of Express 4 (spec/express4.json), each with its program: what Express 4 returns, `nozomi/4` returns, and it
 * is what the clause says.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { areas, clauses } from '../express4.json';

/** Runs every program with an implementation. */
async function play(implementation: string): Promise<Record<string, string>> {
  const child: ChildProcess = fork(join(__dirname, 'play.ts'), [implementation], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [results] = await once(child, 'message');
  return results;
}

describe('the clauses of Express 4', () => {
  let ofExpress: Record<string, string>;
  let ofNozomi: Record<string, string>;

  before(async () => {
    [ofExpress, ofNozomi] = await Promise.all([play('express4'), play('nozomi/4')]);
  });

  for (const { letter, title } of areas) {
    describe(title, () => {
      for (const { id, area, text, express4 } of clauses) {
        if (area !== letter) continue;
        it(`${text} [${id}]`, () => {
          expect(ofExpress[id], 'Express 4').to.equal(express4);
          expect(ofNozomi[id], 'nozomi/4').to.equal(express4);
        });
      }
    });
  }
});
