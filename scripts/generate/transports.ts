// Writes docs/transports.md, with the differences that parity/transports declares. Run this script after a change to
// folds.ts or transports.ts of parity/divergences.
//
//   npm run generate -- transports               writes docs/transports.md
//   npm run generate -- transports --check    writes nothing; exit code 1 if the page is out of date
import { FOLDS } from '../../parity/divergences/folds';
import { TRANSPORT_DIVERGENCES } from '../../parity/divergences/transports';
import type { Transport } from '../../parity/transports/transport';
import { table } from '../document';
import { pageWith, runGenerator } from './page';

const PAGE = 'docs/transports.md';

const NAMES: Readonly<Record<Transport, string>> = {
  listen: 'HTTP/1.1',
  create: 'HTTP/1.1',
  wrapped: 'HTTP/1.1',
  https: 'HTTPS',
  h2: 'HTTP/2 with TLS',
  h2c: 'HTTP/2 without TLS',
  fetch: 'fetch',
};

/** The names of the two kinds of HTTP/2 in a list that has both. */
const BOTH_HTTP2 = `${NAMES.h2}, ${NAMES.h2c}`;

runGenerator(() => ({ [PAGE]: pageWith(PAGE, { differences: listed() }) }));

function listed(): string {
  const rows = [...FOLDS, ...TRANSPORT_DIVERGENCES].map(({ transports, differs, why }) => [
    [...new Set(transports.map((transport) => NAMES[transport]))].join(', ').replace(BOTH_HTTP2, 'HTTP/2'),
    differs,
    why,
  ]);
  return table(['Over', 'What differs', 'Why'], rows);
}
