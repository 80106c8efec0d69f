/** The table of docs/recorded.md. A run in which all applications are equal writes the rows of those that it played. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, table } from '../document';
import { APPLICATIONS, type RecordedApplication } from './list';

export interface Outcome {
  readonly one: RecordedApplication;
  /** The Express version that the application depends on. */
  readonly express: string;
  readonly pages: number;
  readonly recorded: number;
  readonly isEqual: boolean;
  /** The reason for a difference from that version. */
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

${rows.length} applications from npm, each with the Express that it comes with: \`nozomi record\` starts it, Chromium opens its pages
and makes its requests, and \`nozomi parity\` plays the recording to the application with that Express and with Nozomi in
its place (\`nozomi/4\` for Express 4). ${total} recorded requests, and what the applications write. Where an older version of
Express differs, the application is compared again with the version that Nozomi equals, 5.3.0 or 4.22.3 with morgan 1.12.1,
and must be equal to that.

\`\`\`sh
npm run recorded                     # installs below the folder for temporary files, records, compares
npm run recorded -- ungit peer       # only these
\`\`\`

Written by \`npm run recorded -- --write\`. [The applications of docs/parity.md](parity.md#published-applications) are
compared with written requests in place of recorded ones.

${table(['application', '', 'Express', 'pages', 'requests', 'with Nozomi'], rows)}`;
}
