/** Generates the table of docs/parity.md that lists the published applications and counts their requests. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRequests } from '../../parity/application/traffic';
import { table } from '../document';
import { APPLICATIONS, requestsOf, versionOf } from './list';

const DOCUMENT = join(__dirname, '..', '..', 'docs', 'parity.md');
const [BEGIN, END] = ['<!-- applications: begin -->', '<!-- applications: end -->'];

/** Whether docs/parity.md contains the table that `writeDocument` would write. */
export function isCurrent(): boolean {
  return readFileSync(DOCUMENT, 'utf8') === compose();
}

export function writeDocument(): void {
  writeFileSync(DOCUMENT, compose());
}

function compose(): string {
  const rows = APPLICATIONS.map((one) => {
    const { requests } = readRequests(requestsOf(one));
    return [`${one.from} ${versionOf(one)}`, one.about, one.asks, String(requests.length)];
  });
  const [before, , after] = readFileSync(DOCUMENT, 'utf8').split(
    new RegExp(`(?<=${BEGIN}\n)([^]*)(?=${END})`),
  );
  if (after === undefined)
    throw new TypeError(`docs/parity.md: put ${BEGIN} and ${END} on lines of their own`);
  return before + table(['application', '', 'asks for Express', 'requests'], rows) + after;
}
