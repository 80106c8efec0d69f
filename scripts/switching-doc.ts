// Writes the declared divergences into docs/switching.md. Run after parity/divergences.ts changes; with --check it
// writes nothing and exits 1 where the document does not list them.
//
//   npm run switching -- [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIVERGENCES, OF_5X } from '../parity/divergences';
import { runCommand } from './command';

const file = join(__dirname, '..', 'docs', 'switching.md');
const BLOCK = /(<!-- divergences: begin -->\n)[\s\S]*?(<!-- divergences: end -->)/;

runCommand({
  name: 'switching',
  file: __filename,
  options: { check: { type: 'boolean', default: false } },
  run({ values }) {
    const text = readFileSync(file, 'utf8');
    if (!BLOCK.test(text)) throw new Error('docs/switching.md has no place for the divergences');
    const wanted = text.replace(BLOCK, (_all, begin, end) => `${begin}${list()}${end}`);
    if (!values.check) {
      writeFileSync(file, wanted);
      return true;
    }
    console.log(
      text === wanted
        ? 'docs/switching.md lists every divergence'
        : 'docs/switching.md: run npm run switching',
    );
    return text === wanted;
  },
});

function list(): string {
  const items = OF_5X.map(
    ({ differs, why, clauses, standard }) =>
      `- ${differs}. ${why} (${[...clauses, ...(standard ? [standard] : [])].join(', ')})\n`,
  );
  const others = DIVERGENCES.length - OF_5X.length;
  return `${OF_5X.length} things, each because the documentation promises what Express does not do, or a standard, where one is named:\n\n${items.join('')}
\`nozomi/legacy\`, the interface of Express 3, differs from that in ${others} things more: [the list](../parity/legacy-divergences.ts).\n`;
}
