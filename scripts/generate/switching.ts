// Writes the lists of declared divergences: those of Express 5 into docs/switching.md, those of Express 3 into
// docs/express3.md. Run this script after a change to parity/divergences.
//
//   npm run generate -- switching               writes the lists
//   npm run generate -- switching --check    writes nothing; exit code 1 if a page is out of date
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIVERGENCES } from '../../parity/divergences';
import type { Divergence } from '../../parity/divergences/divergence';
import { OF_5X } from '../../parity/divergences/express5';
import { runCommand } from '../command';
import { linkTo } from '../specification';

const BLOCK = /(<!-- divergences: begin -->\n)[\s\S]*?(<!-- divergences: end -->)/;

/** The pages of docs/, each with the divergences that it lists. */
const DOCUMENTS = { 'switching.md': OF_5X, 'express3.md': DIVERGENCES.filter((one) => !OF_5X.includes(one)) };

const WRITTEN =
  '*Written by `npm run generate -- switching` from `parity/judge`; `npm run parity` fails for any other difference.*';

runCommand({
  name: 'switching',
  file: __filename,
  options: { check: { type: 'boolean', default: false } },
  run({ values }) {
    const stale = Object.entries(DOCUMENTS).filter(([name, divergences]) => {
      const file = join(__dirname, '..', '..', 'docs', name);
      const text = readFileSync(file, 'utf8');
      if (!BLOCK.test(text))
        throw new Error(
          `docs/${name}: expected <!-- divergences: begin --> and <!-- divergences: end --> on lines of their own`,
        );
      const wanted = text.replace(BLOCK, (_all, begin, end) => `${begin}${list(divergences)}${end}`);
      if (!values.check) writeFileSync(file, wanted);
      return values.check && text !== wanted;
    });
    for (const [name] of stale) console.log(`docs/${name} is out of date: run npm run generate -- switching`);
    if (values.check && stale.length === 0)
      console.log('docs/switching.md and docs/express3.md are up to date');
    return stale.length === 0;
  },
});

function list(divergences: readonly Divergence[]): string {
  const items = divergences.map(
    ({ differs, why, clauses, standard }) =>
      `- ${differs}. ${why}${named([...clauses.map(linkTo), ...(standard ? [standard] : [])])}\n`,
  );
  return `${divergences.length} things differ. Each item gives the reason, and the standard if one demands it.\n\n${WRITTEN}\n\n${items.join('')}`;
}

function named(sources: readonly string[]): string {
  return sources.length > 0 ? ` (${sources.join(', ')})` : '';
}
