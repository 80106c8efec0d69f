// Tries every rule of Express' migration guides in every way to write a program (rules.ts, ways.ts). A cell is right if
// `nozomi-parity migrate` makes the expected program of it, or names the place in a comment. Run this script after a change
// to parity/migrate.
//
//   npm run check -- migrate                 the table of all rules and ways
//   npm run check -- migrate --sample        one way of each rule
//   npm run check -- migrate "app.del"       only the rules with this text in their name, with the programs
//
// Exit code 1 if a cell is neither.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '../../parity/migrate/migrate';
import { temporaryFolder } from '../../parity/temporary-folder';
import { runCommand } from '../command';
import { formatLine } from '../table';
import { type Piece, RULES, type Rule } from './rules';
import { type Files, WAYS, withPlainNames } from './ways';

type Cell = 'changed' | 'named' | 'silent';

const SIGN: Readonly<Record<Cell, string>> = { changed: '=', named: '?', silent: '✗' };

runCommand({
  allowPositionals: true,
  options: { sample: { type: 'boolean', default: false } },
  async run({ values: { sample }, positionals }) {
    const ways = Object.keys(WAYS);
    const rules = RULES.filter(({ name }) => positionals.every((text) => name.includes(text)));
    const folder = temporaryFolder('guide');
    mkdirSync(join(folder, 'public', '.well-known'), { recursive: true });
    for (const [index, way] of ways.entries()) console.log(`${letterOf(index)}  ${way}`);
    console.log(formatLine(['', '', ways.map((_, index) => letterOf(index)).join(' ')], WIDTHS));
    const counts: Record<Cell, number> = { changed: 0, named: 0, silent: 0 };
    for (const [row, rule] of rules.entries()) {
      const signs: string[] = [];
      for (const [column, way] of ways.entries()) {
        if (sample && column !== row % ways.length) {
          signs.push(' ');
          continue;
        }
        const { cell, text } = await judge(rule, way, folder);
        counts[cell]++;
        signs.push(SIGN[cell]);
        if (cell === 'silent' || positionals.length > 0)
          console.log(`\n${rule.name}, ${way}: ${cell}\n${text}`);
      }
      console.log(formatLine([rule.of, rule.name, signs.join(' ')], WIDTHS));
    }
    const { changed, named, silent } = counts;
    console.log(
      `${rules.length} rules, ${ways.length} ways: = ${changed} as expected, ? ${named} named, ✗ ${silent} neither`,
    );
    return silent === 0;
  },
});

const WIDTHS = [-2, -42, -40];

function letterOf(index: number): string {
  return String.fromCharCode(97 + index);
}

async function judge(rule: Rule, way: string, folder: string): Promise<{ cell: Cell; text: string }> {
  const before = filesOf(rule, way, rule);
  const migrated = await migrate(
    Object.entries(before).map(([name, text]) => ({ name: join(folder, name), text })),
  );
  const after = migrated.map(({ after: text }) => text).join('');
  const refused = migrated.flatMap((one) => one.refused.map(({ text }) => text));
  const text = `${after}${refused.map((one) => `to decide: ${one}\n`).join('')}`;
  const cellOf = (): Cell => {
    const { to } = rule;
    const expected = Object.values(filesOf(to === 'same' ? rule : to, way, rule)).join('');
    if (refused.length === 0 && to !== 'same' && to.named) return 'silent';
    if (refused.length > 0)
      return to !== 'same' && to.named && !refused.some((one) => to.named?.test(one)) ? 'silent' : 'named';
    if (to !== 'same' && to.adds) return to.adds.test(after) ? 'changed' : 'silent';
    return withPlainNames(after) === withPlainNames(expected) ? 'changed' : 'silent';
  };
  return { cell: cellOf(), text };
}

function filesOf({ setup, handler = '$res.end();' }: Piece, way: string, { isBare }: Rule): Files {
  const setting = isBare ? "$app.set('a', 1);" : "$app.set('query parser', 'extended');";
  return WAYS[way]?.({ setup: setup ?? setting, handler }) ?? {};
}
