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
import { FAULTS } from '../mutate/faults';
import { pageWith, root, runGenerator } from './page';

/** The workloads of README.md, by their description there; the picture has the first two. */
const WORKLOADS = {
  '`app.listen`, a short text': 'hello',
  '`app.listen`, ten middleware functions and three routers': 'middleware',
  '`http.createServer(app)`, a short text': 'hello-own-server',
  '`http.createServer(app)`, ten middleware functions and three routers': 'middleware-own-server',
} as const;
type Workload = (typeof WORKLOADS)[keyof typeof WORKLOADS];
const VERSIONS = ['24', '26'] as const;

runGenerator(() => ({
  'README.md': pageWith('README.md', { summary: summary(), figures: paragraphs() }),
  'docs/nozomi.svg': picture(),
}));

function ratioOf(version: (typeof VERSIONS)[number], workload: Workload): number {
  return ratios[version][workload].express;
}

interface Proof {
  readonly count: number;
  readonly what: string;
  readonly command: string;
}

function proofs(): Proof[] {
  const recorded = fixtures.files.flatMap((file) => ('scenarios' in file ? [file as Recorded] : []));
  const sum = (name: keyof Recorded) => recorded.reduce((total, file) => total + Number(file[name]), 0);
  const testable = clauses.filter(({ reference }) => reference !== 'untestable').length;
  const packages = Number(/^(\d+) third-party packages/m.exec(read('docs/compatibility.md'))?.[1]);
  const [, seeded, caught] =
    /^\| \*\*all\*\* \| \*\*(\d+)\*\* \| \*\*(\d+)\*\* \|$/m.exec(read('docs/parity.md')) ?? [];
  if (Number(seeded) !== FAULTS.length)
    throw new Error(
      `docs/parity.md: expected a row **all** of ${FAULTS.length} seeded faults, got ${seeded}`,
    );
  if (!packages) throw new Error('docs/compatibility.md must start a line with "… third-party packages"');
  return [
    {
      count: testable + express4.clauses.length,
      what: 'testable clauses of the [specification](spec/framework.md)',
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
      what: `of ${seeded} deliberately seeded bugs are detected by the suite`,
      command: 'npm run check -- mutate',
    },
  ];
}

interface Recorded {
  readonly scenarios: number;
  readonly exchanges: number;
}

/** The figure at the top of README.md. */
function summary(): string {
  const all = Object.values(WORKLOADS).flatMap((workload) =>
    VERSIONS.map((version) => ratioOf(version, workload)),
  );
  const [scenarios] = proofs().filter(({ what }) => what.startsWith('recorded scenarios'));
  const [least, most] = [Math.min(...all), Math.max(...all)].map((ratio) => ratio.toFixed(1));
  return (
    `It responds as Express does, byte for byte, in ${shown(scenarios?.count ?? 0)} recorded scenarios, and handles ${least} to ${most} times as many ` +
    `requests in a second of CPU time\n([how this is measured](docs/performance.md)).\n`
  );
}

function paragraphs(): string {
  const speeds = Object.entries(WORKLOADS).map(
    ([about, workload]) =>
      `| ${about} | ${VERSIONS.map((version) => `${ratioOf(version, workload).toFixed(1)}×`).join(' | ')} |\n`,
  );
  const lines = proofs().map(({ count, what, command }) => `| ${shown(count)} ${what} | \`${command}\` |\n`);
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

/** Draws the picture of README.md, in colours for light and dark pages, narrow enough for a phone. */
function picture(): string {
  const groups = Object.entries(WORKLOADS).slice(0, 2);
  const lines = groups.flatMap(([about, workload], group) => {
    const top = 52 + group * 84;
    const bars = [
      ['Express', 1, 'theirs'] as const,
      ...VERSIONS.map((version) => [`Node.js ${version}`, ratioOf(version, workload), 'ours'] as const),
    ];
    return [
      text(16, top, about.replaceAll('`', '')),
      ...bars.flatMap(([name, ratio, kind], index) => {
        const width = Math.round(ratio * 110);
        const y = top + 7 + index * 19;
        return [
          text(16, y + 12, name, 'note'),
          `<rect x="92" y="${y}" width="${width}" height="14" rx="2" class="${kind}"/>`,
          text(98 + width, y + 12, ratio === 1 ? '1' : `${ratio.toFixed(1)}×`, 'note'),
        ];
      }),
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 460 216" width="460" role="img" aria-labelledby="title">
<title id="title">Requests per CPU second relative to Express</title>
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2933 }
.head { font-weight: 600 }
.note { font-size: 12px }
.ours { fill: #3a8f5d }
.theirs { fill: #9aa5b1 }
.page { fill: #ffffff }
@media (prefers-color-scheme: dark) {
  text { fill: #e4e7eb }
  .page { fill: #16191d }
}
</style>
<rect width="460" height="216" rx="8" class="page"/>
${text(16, 26, 'Requests per CPU second, Express = 1', 'head')}
${lines.join('\n')}
</svg>
`;
}

function text(x: number, y: number, content: string, kind = ''): string {
  return `<text x="${x}" y="${y}"${kind && ` class="${kind}"`}>${content}</text>`;
}
