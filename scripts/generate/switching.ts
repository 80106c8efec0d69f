// Writes the lists of declared divergences: those of Express 5 into docs/switching.md, those of Express 3 into
// docs/express3.md. Run this script after a change to parity/divergences.
//
//   npm run generate -- switching               writes the lists
//   npm run generate -- switching --check    writes nothing; exit code 1 if a page is out of date
import { DIVERGENCES } from '../../parity/divergences';
import type { Divergence } from '../../parity/divergences/divergence';
import { OF_5X } from '../../parity/divergences/express5';
import { linkTo } from '../specification';
import { pageWith, runGenerator } from './page';

const WRITTEN =
  '*Written by `npm run generate -- switching` from `parity/divergences`; `npm run parity` fails for any other difference.*';

runGenerator(() => ({
  'docs/switching.md': pageWith('docs/switching.md', { divergences: list(OF_5X) }),
  'docs/express3.md': pageWith('docs/express3.md', {
    divergences: list(DIVERGENCES.filter((one) => !OF_5X.includes(one))),
  }),
}));

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
