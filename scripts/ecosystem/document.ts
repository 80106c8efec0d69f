/** The table of docs/ecosystem.md, which is written if all cases pass. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../document';
import { type Case, home } from './cases';

const file = join(home, '..', '..', 'docs', 'ecosystem.md');

export function writeDocument(cases: readonly Case[]): void {
  writeFileSync(file, compose(cases));
}

export function checkDocument(cases: readonly Case[]): boolean {
  const isTrue = readFileSync(file, 'utf8') === compose(cases);
  console.log(
    isTrue ? 'docs/ecosystem.md lists the cases' : 'docs/ecosystem.md: run npm run ecosystem -- --write',
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
\`\`\`

Its packages have their own \`package.json\` and lockfile in \`spec/ecosystem\`; \`npm ci\` of the project does not install
them, and their install scripts do not run. No case leaves 127.0.0.1.

*Written by \`npm run ecosystem -- --write\` after a run in which every case passed.*
${families.map((family) => section(family, cases)).join('')}`;
}

function section(family: string, cases: readonly Case[]): string {
  const rows = cases
    .filter((one) => one.family === family)
    .map(({ packages, shows, breaks }) => [
      packages.join(', '),
      shows,
      breaks ? `fails alike: ${breaks}` : 'same',
    ]);
  return `\n## ${family}\n\n${table(['Packages', 'What the case does', 'On Nozomi'], rows)}`;
}
