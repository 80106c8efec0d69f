// Writes the declared divergences into docs/switching.md, those of the 3.x interface into docs/express3.md. Run after
// parity/judge/divergences.ts or parity/judge/express3-divergences.ts changes; with --check it writes nothing and exits
// 1 if a document is out of date.
//
//   npm run switching -- [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Divergence } from '../../parity/judge/divergence';
import { DIVERGENCES, OF_5X } from '../../parity/judge/divergences';
import { runCommand } from '../command';
import { linkTo } from '../specification';

const BLOCK = /(<!-- divergences: begin -->\n)[\s\S]*?(<!-- divergences: end -->)/;

/** The 3.x interface has its own document. */
const DOCUMENTS = { 'switching.md': OF_5X, 'express3.md': DIVERGENCES.filter((one) => !OF_5X.includes(one)) };

runCommand({
  name: 'switching',
  file: __filename,
  options: { check: { type: 'boolean', default: false } },
  run({ values }) {
    const stale = Object.entries(DOCUMENTS).filter(([name, divergences]) => {
      const file = join(__dirname, '..', '..', 'docs', name);
      const text = readFileSync(file, 'utf8');
      if (!BLOCK.test(text)) throw new Error(`docs/${name} has no markers for the divergences`);
      const wanted = text.replace(BLOCK, (_all, begin, end) => `${begin}${list(divergences)}${end}`);
      if (!values.check) writeFileSync(file, wanted);
      return values.check && text !== wanted;
    });
    for (const [name] of stale) console.log(`docs/${name} is out of date: run npm run switching`);
    if (values.check && stale.length === 0) console.log('docs/ lists every divergence');
    return stale.length === 0;
  },
});

function list(divergences: readonly Divergence[]): string {
  const items = divergences.map(
    ({ differs, why, clauses, standard }) =>
      `- ${differs}. ${why}${named([...clauses.map(linkTo), ...(standard ? [standard] : [])])}\n`,
  );
  return `${divergences.length} things, each because the documentation promises what Express does not do, for a standard, where one is named, or for safety:\n\n${items.join('')}`;
}

function named(sources: readonly string[]): string {
  return sources.length > 0 ? ` (${sources.join(', ')})` : '';
}
