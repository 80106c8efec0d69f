/**
 * Generates docs/recorded.md. With `--write`, a run that passes updates the rows of its applications and keeps the
 * others.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, table } from '../document';
import { APPLICATIONS, type RecordedApplication } from './list';

export interface Outcome {
  readonly one: RecordedApplication;
  /** The version of Express that the application loads. */
  readonly express: string;
  /** The number of pages that Chromium opened. */
  readonly pages: number;
  /** The number of recorded requests. */
  readonly recorded: number;
  readonly isEqual: boolean;
  /** Says which version of Express has equal responses, if that is not `express`; else `''`. */
  readonly note: string;
}

const DOCUMENT = join(__dirname, '..', '..', 'docs', 'recorded.md');

export function writeDocument(outcomes: readonly Outcome[]): void {
  const written = new Map(
    (readIfThere(DOCUMENT) ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.slice(2, -2).split(' | '))
      .map((cells) => [cells[0] ?? '', cells]),
  );
  for (const { one, express, pages, recorded, note } of outcomes)
    written.set(nameOf(one), [
      nameOf(one),
      one.about,
      express,
      String(pages),
      String(recorded),
      note || 'equal',
    ]);
  const rows = APPLICATIONS.flatMap((one) => {
    const row = written.get(nameOf(one));
    return row ? [row] : [];
  });
  writeFileSync(DOCUMENT, compose(rows));
}

function nameOf({ name, version, folder = name }: RecordedApplication): string {
  return `\`${folder}\` ${version}`;
}

function compose(rows: readonly string[][]): string {
  const total = rows.reduce((sum, [, , , , requests]) => sum + Number(requests), 0);
  return `# Published applications, recorded

${rows.length} applications from npm, each with the version of Express that it depends on, and ${total} recorded requests.

1. \`nozomi-parity record\` starts the application, and Chromium opens its pages and sends requests.
2. \`nozomi-parity\` plays the recording twice: with that Express, and with Nozomi instead (\`nozomi/4\` for Express 4). Responses and
   log lines must be equal.
3. If they differ and that Express is not the latest, the application is compared again, with the version whose behaviour
   Nozomi has: Express 5.3.0 or 4.22.3, with morgan 1.12.1. That comparison must be equal.

\`\`\`sh
npm run recorded                     # installs in a temporary folder, records, compares
npm run recorded -- ungit peer       # only these applications
\`\`\`

Written by \`npm run recorded -- --write\`. [More applications](parity.md#published-applications) are compared with requests that
were written by hand.

${table(['application', '', 'Express', 'pages', 'requests', 'with Nozomi'], rows)}`;
}
