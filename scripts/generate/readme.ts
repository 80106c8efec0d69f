// Writes the figures of README.md and its picture, docs/nozomi.svg. The figures come from the specification, fixtures/,
// docs/ and scripts/bench/js/ratios.json. Run this script after a change to one of these.
//
//   npm run generate -- readme               writes README.md and docs/nozomi.svg
//   npm run generate -- readme --check    writes nothing; exit code 1 if a figure is out of date
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fixtures from '../../fixtures/index.json';
import clauses from '../../spec/clauses.json';
import express4 from '../../spec/express4.json';
import ratios from '../bench/js/ratios.json';
import { pageWith, root, runGenerator } from './page';

/** The workloads of README.md and its picture, by their description there. */
const WORKLOADS = {
  '`app.listen`, a short text': 'hello',
  '`app.listen`, ten middleware functions and three routers': 'middleware',
  '`http.createServer(app)`, a short text': 'hello-own-server',
  '`http.createServer(app)`, ten middleware functions and three routers': 'middleware-own-server',
} as const;
type Workload = (typeof WORKLOADS)[keyof typeof WORKLOADS];
const VERSIONS = ['24', '26'] as const;

runGenerator(() => ({
  'README.md': pageWith('README.md', { figures: paragraphs() }),
  'docs/nozomi.svg': picture(),
}));

function ratioOf(version: (typeof VERSIONS)[number], workload: Workload): number {
  return ratios[version][workload].express;
}

interface Proof {
  readonly count: number;
  readonly what: string;
  /** The text in README.md, if it differs from the text in the picture. */
  readonly inReadme?: string;
  readonly command: string;
}

function proofs(): Proof[] {
  const recorded = fixtures.files.flatMap((file) => ('scenarios' in file ? [file as Recorded] : []));
  const sum = (name: keyof Recorded) => recorded.reduce((total, file) => total + Number(file[name]), 0);
  const testable = clauses.filter(({ reference }) => reference !== 'untestable').length;
  const packages = Number(/^(\d+) third-party packages/m.exec(read('docs/compatibility.md'))?.[1]);
  const [, seeded, caught] =
    /^\| \*\*all\*\* \| \*\*(\d+)\*\* \| \*\*(\d+)\*\* \|$/m.exec(read('docs/parity.md')) ?? [];
  if (!packages || !seeded)
    throw new Error(
      'docs/compatibility.md must start a line with "… third-party packages", docs/parity.md must have a row **all** of seeded faults',
    );
  return [
    {
      count: testable + express4.clauses.length,
      what: 'testable clauses of the specification',
      inReadme: 'testable clauses of the [specification](spec/framework.md)',
      command: 'npm run check -- clauses',
    },
    {
      count: sum('scenarios'),
      what: `recorded scenarios with ${shown(sum('exchanges'))} exchanges`,
      command: 'npm run parity -- --baseline corpus',
    },
    { count: packages, what: 'npm packages for Express', command: 'npm run check -- ecosystem' },
    {
      count: Number(caught),
      what: `of ${seeded} seeded bugs detected`,
      inReadme: `of ${seeded} deliberately seeded bugs are detected by the suite`,
      command: 'npm run check -- mutate',
    },
  ];
}

interface Recorded {
  readonly scenarios: number;
  readonly exchanges: number;
}

function paragraphs(): string {
  const speeds = Object.entries(WORKLOADS).map(
    ([about, workload]) =>
      `| ${about} | ${VERSIONS.map((version) => `${ratioOf(version, workload).toFixed(1)}×`).join(' | ')} |\n`,
  );
  const lines = proofs().map(
    ({ count, what, inReadme = what, command }) => `| ${shown(count)} ${inReadme} | \`${command}\` |\n`,
  );
  return (
    '**Faster.** Requests per CPU second, relative to Express, without a network (`npm run bench -- js --node 24`, or `26`):\n\n' +
    `| | ${VERSIONS.map((version) => `Node.js ${version}`).join(' | ')} |\n| --- | --- | --- |\n${speeds.join('')}\n` +
    '**Equal.** Status, headers in order, body bytes and log lines are compared with Express and morgan, also with the\n' +
    '[frameworks, products, agents, test runners and hosts](docs/compatibility.md) around it:\n\n' +
    `| | command |\n| --- | --- |\n${lines.join('')}`
  );
}

function shown(count: number): string {
  return count.toLocaleString('en');
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Draws the picture of README.md: speed above, proofs below, in colours for light and dark pages, narrow enough for a phone. */
function picture(): string {
  const bars = Object.entries(WORKLOADS).flatMap(([about, workload], group) => {
    const top = 66 + group * 62;
    return [
      text(20, top, about.replaceAll('`', '')),
      ...VERSIONS.flatMap((version, index) => {
        const ratio = ratioOf(version, workload);
        const width = Math.round(ratio * 120);
        const y = top + 8 + index * 20;
        return [
          text(20, y + 12, `Node.js ${version}`, 'note'),
          `<rect x="96" y="${y}" width="${width}" height="14" rx="2" class="ours"/>`,
          text(102 + width, y + 12, `${ratio.toFixed(1)}×`, 'note'),
        ];
      }),
    ];
  });
  const counts = proofs().flatMap(({ count, what }, index) => {
    const y = 366 + index * 36;
    return [
      `<text x="100" y="${y}" text-anchor="end" class="count">${shown(count)}</text>`,
      text(112, y - 2, what),
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 500" width="480" role="img" aria-labelledby="title">
<title id="title">Requests per CPU second relative to Express, and counts of clauses, scenarios, packages and caught faults</title>
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2933 }
.head { font-weight: 600 }
.note { font-size: 12px }
.count { font-size: 26px; font-weight: 600; fill: #23744a }
.ours { fill: #3a8f5d }
.page { fill: #ffffff }
@media (prefers-color-scheme: dark) {
  text { fill: #e4e7eb }
  .count { fill: #7fd3a2 }
  .page { fill: #16191d }
}
</style>
<rect width="480" height="500" rx="8" class="page"/>
${text(20, 34, 'Requests per CPU second, Express = 1', 'head')}
${bars.join('\n')}
${text(20, 330, 'Tested for equality with Express and morgan', 'head')}
${counts.join('\n')}
</svg>
`;
}

function text(x: number, y: number, content: string, kind = ''): string {
  return `<text x="${x}" y="${y}"${kind && ` class="${kind}"`}>${content}</text>`;
}
