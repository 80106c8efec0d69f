/** Generates docs/ecosystem.md, which lists all cases. `npm run ecosystem -- --write` writes it if all cases pass. */
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

${packages.size} third-party packages, in ${cases.length} cases. Each case uses a package as its documentation shows, and runs twice: with \`express\`
5.3.0 and \`morgan\` 1.12.1, and with Nozomi installed under these two names. Both runs have their own process and their own
\`node_modules\`. Requests go over real HTTP, except for adapters and test clients that call the application themselves.

Every exchange (status, headers in order and spelling, body) must be the same in both runs. So must all else that a case
observes: log lines, spans, events, session data. Only times, ports, directories, stack frames, random values and the
value of \`X-Powered-By\` may differ.

\`\`\`sh
npm run ecosystem                    # installs the packages on first use, then plays every case
npm run ecosystem -- passport ws     # only these packages or families
npm run ecosystem -- --json out.json # also writes the transcripts of both runs
npm run ecosystem -- --http2         # compares HTTP/2 with HTTP/1.1
npm run ecosystem -- --series 4      # the cases that also run with Express 4
npm run ecosystem -- agents --latest # the newest versions of the packages of these cases, with Express 5 and 4
\`\`\`

\`npm test -- --all\` plays the agents with \`--latest\`, so that a new version of one that works only with Express fails the run. A
package that needs a newer Node.js than the one that runs the script gets Node.js 24.

The last column compares Nozomi over HTTP/2 (\`http2.createServer(app)\`) with Nozomi over HTTP/1.1, except for
[what always differs](transports.md#what-differs). ${same(cases).length} of the ${cases.length} cases give the same results; they test ${namesOf(same(cases)).size} packages.

The packages have their own \`package.json\` and lockfile in \`spec/ecosystem\`. \`npm ci\` in the root does not install them,
and their install scripts do not run. No case connects to another host.

*Written by \`npm run ecosystem -- --write\` after a run in which every case passed.*
${families.map((family) => section(family, cases)).join('')}`;
}

function section(family: string, cases: readonly Case[]): string {
  const rows = cases
    .filter((one) => one.family === family)
    .map((one) => [
      one.packages.join(', '),
      one.shows,
      one.breaks
        ? `fails as with Express: ${one.breaks}`
        : one.statuses[4]
          ? 'same, also as Express 4'
          : 'same',
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
  return new Set(cases.flatMap(({ packages }) => packages));
}
