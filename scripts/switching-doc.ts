// Writes the declared divergences into docs/switching.md. Run after parity/divergences.ts changes: `npm run switching`.
// With --check it writes nothing and exits 1 where the document does not list them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIVERGENCES } from '../parity/divergences';

const file = join(__dirname, '..', 'docs', 'switching.md');
const BLOCK = /(<!-- divergences: begin -->\n)[\s\S]*?(<!-- divergences: end -->)/;

const text = readFileSync(file, 'utf8');
if (!BLOCK.test(text)) throw new Error('docs/switching.md has no place for the divergences');
const wanted = text.replace(BLOCK, (_all, begin, end) => `${begin}${list()}${end}`);
if (process.argv.includes('--check')) {
  console.log(
    text === wanted ? 'docs/switching.md lists every divergence' : 'docs/switching.md: run npm run switching',
  );
  process.exitCode = text === wanted ? 0 : 1;
} else {
  writeFileSync(file, wanted);
}

function list(): string {
  const items = DIVERGENCES.map(
    ({ differs, why, clauses }) => `- ${differs}. ${why} (${clauses.join(', ')})\n`,
  );
  return `${DIVERGENCES.length} things, each because the documentation promises what Express does not do:\n\n${items.join('')}`;
}
