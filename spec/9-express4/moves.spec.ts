/** Runs the lines of docs/express4.md that keep the behaviour of Express 4 on `nozomi/5`. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { MOVES } from '../../parity/divergences/express4-moves';
import { setFileTimes } from '../../parity/scenario/file-times';
import { clauses } from '../express4.json';
import type { Played } from './play';

/** Clauses whose applications run unchanged on Express 5 after the line of the move. */
const SETUP_FITS = ['E4-A10', 'E4-D1', 'E4-D3', 'E4-E1', 'E4-E2'];

/** @returns The applications of clauses that have a move, rewritten for Express 5. */
function programsFor5(): Array<{ id: string; program: string }> {
  return clauses.flatMap(({ id, program }) => {
    const move = MOVES.find((one) => one.clauses.includes(id));
    const replacements = move?.rewritten?.[id];
    if (move?.isSetup && SETUP_FITS.includes(id))
      return [{ id, program: `${move.line}; ${/\breturn\b/.test(program) ? '' : 'return '}${program}` }];
    if (!replacements) return [];
    const rewritten = replacements.reduce((text, [from, to]) => {
      const next = typeof from === 'string' ? text.replaceAll(from, () => to) : text.replace(from, to);
      expect(next, `${id}: ${from} is not in the program`).to.not.equal(text);
      return next;
    }, program);
    return [{ id, program: rewritten }];
  });
}

/** Removes deprecation warnings, because an application rewritten for Express 5 causes none. */
function withoutWarnings(result: string): string {
  return result
    .replace(/, (?=(?:'|")(?:express|body-parser|send): )/g, '')
    .replace(/'(?:express|body-parser|send): (?:[^'\\]|\\.)*'|"(?:express|body-parser|send): [^"]*"/g, '')
    .replace(/\[\s*\]/g, '[]');
}

describe('the lines for a move from Express 4 to 5', () => {
  it('exist for each clause in which Express 5 differs, and for no other', () => {
    const named = MOVES.flatMap((move) => move.clauses);
    const differing = clauses.filter(({ express4, express5 }) => express4 !== express5).map(({ id }) => id);

    expect([...named].sort()).to.deep.equal(differing.sort());
  });

  describe('restore the behaviour of Express 4 on nozomi/5', () => {
    let results: Record<string, string>;

    before(async () => {
      await setFileTimes();
      const child: ChildProcess = fork(
        join(__dirname, 'play.ts'),
        ['nozomi/5', JSON.stringify(programsFor5())],
        { execArgv: ['--require', 'tsx/cjs'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
      );
      [{ results }] = (await once(child, 'message')) as [Played];
    });

    for (const { id } of programsFor5()) {
      const clause = clauses.find((one) => one.id === id);
      const move = MOVES.find((one) => one.clauses.includes(id));
      proves(id);
      it(`with the line ${move?.line}: ${clause?.text}`, () => {
        expect(withoutWarnings(results[id] ?? '')).to.equal(withoutWarnings(clause?.express4 ?? ''));
      });
    }
  });
});
