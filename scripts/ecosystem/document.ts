/** The table of docs/ecosystem.md, which is written if all cases pass. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../document';
import { type Case, home } from './cases';
import { DIFFERING, NOT_PLAYED } from './over-http2';

const file = join(home, '..', '..', 'docs', 'ecosystem.md');

export function writeDocument(cases: readonly Case[]): void {
  writeFileSync(file, compose(cases));
}

export function checkDocument(cases: readonly Case[]): boolean {
  const isTrue = readFileSync(file, 'utf8') === compose(cases);
  console.log(
    isTrue
      ? 'docs/ecosystem.md lists the cases'
      : 'docs/ecosystem.md is out of date: run npm run ecosystem -- --write',
  );
  return isTrue;
}

function compose(cases: readonly Case[]): string {
  const families = [...new Set(cases.map(({ family }) => family))];
  const packages = new Set(cases.flatMap((one) => one.packages));
  return `# The ecosystem

${packages.size} packages of others, in ${cases.length} cases. Each case uses a package as its documentation says, over real
HTTP (adapters and test clients: by their own means), once with \`express\` 5.3.0 and \`morgan\` 1.12.1 and once with Nozomi installed under these two names, each in a process and
a \`node_modules\` of its own. Every exchange (status, headers in order and spelling, body) and all else that the case
observes (log lines, spans, events, session data) must be the same, but for the clock, ports, directories, stack frames,
random values and the value of \`X-Powered-By\`.

\`\`\`sh
npm run ecosystem                    # installs on first use (npm registry), then plays every case
npm run ecosystem -- passport ws     # only these packages or families
npm run ecosystem -- --json out.json # with both transcripts
npm run ecosystem -- --http2         # over HTTP/2
\`\`\`

The last column compares Nozomi over HTTP/2 (\`http2.createServer(app)\`) with itself over HTTP/1.1, but for what
[differs by nature](transports.md#what-differs): ${same(cases).length} of the ${cases.length} cases, with ${namesOf(same(cases)).size} packages named first in
their row, give the same responses and observe the same.

Its packages have their own \`package.json\` and lockfile in \`spec/ecosystem\`; \`npm ci\` of the project does not install
them, and their install scripts do not run. No case leaves 127.0.0.1.

*Written by \`npm run ecosystem -- --write\` after a run in which every case passed.*
${families.map((family) => section(family, cases)).join('')}`;
}

function section(family: string, cases: readonly Case[]): string {
  const rows = cases
    .filter((one) => one.family === family)
    .map((one) => [
      one.packages.join(', '),
      one.shows,
      one.breaks ? `fails alike: ${one.breaks}` : 'same',
      overHttp2(one),
    ]);
  return `\n## ${family}\n\n${table(['Packages', 'What the case does', 'On Nozomi', 'Over HTTP/2'], rows)}`;
}

function overHttp2({ name, ownServer }: Case): string {
  return NOT_PLAYED[name] ?? DIFFERING[name] ?? (ownServer ? 'same, with `nozomi/http2`' : 'same');
}

function same(cases: readonly Case[]): Case[] {
  return cases.filter(({ name }) => !Object.hasOwn({ ...NOT_PLAYED, ...DIFFERING }, name));
}

function namesOf(cases: readonly Case[]): Set<string | undefined> {
  return new Set(cases.map(({ packages }) => packages[0]));
}
