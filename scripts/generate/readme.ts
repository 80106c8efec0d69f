// Writes the figures of README.md and its picture, docs/nozomi.svg. The figures come from the specification, fixtures/,
// docs/ and scripts/bench/js/ratios.json. Run this script after a change to one of these.
//
//   npm run generate -- readme               writes README.md and docs/nozomi.svg
//   npm run generate -- readme --check    writes nothing; exit code 1 if a figure is out of date
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fixtures from '../../fixtures/index.json';
import clauses from '../../spec/clauses.json';
import express4 from '../../spec/express4.json';
import ratios from '../bench/js/ratios.json';
import { runCommand } from '../command';
import { readIfThere } from '../document';

const root = join(__dirname, '..', '..');
const BLOCK = /(<!-- figures: begin -->\n)[\s\S]*?(<!-- figures: end -->)/;
/** The workloads in the picture of README.md, by their description there. */
const OWN_SERVER = {
  'a short text': 'hello-own-server',
  'ten middleware functions, three routers': 'middleware-own-server',
  'a JSON body of 1 kB': 'post-1k-own-server',
} as const;
type Workload = (typeof OWN_SERVER)[keyof typeof OWN_SERVER];
const VERSIONS = ['20', '24'] as const;

runCommand({
  name: 'readme',
  file: __filename,
  options: { check: { type: 'boolean', default: false } },
  run({ values }) {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    if (!BLOCK.test(readme))
      throw new Error(
        'README.md: expected <!-- figures: begin --> and <!-- figures: end --> on lines of their own',
      );
    const wanted = {
      'README.md': readme.replace(BLOCK, (_all, begin, end) => `${begin}${paragraphs()}${end}`),
      'docs/nozomi.svg': picture(),
    };
    const stale = Object.entries(wanted).filter(([file, text]) => readIfThere(join(root, file)) !== text);
    if (!values.check) for (const [file, text] of stale) writeFileSync(join(root, file), text);
    else for (const [file] of stale) console.log(`${file} is out of date: run npm run generate -- readme`);
    if (stale.length === 0) console.log('README.md and its picture show the current figures');
    return !values.check || stale.length === 0;
  },
});

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
      command: 'npm run fixtures',
    },
    { count: packages, what: 'npm packages for Express', command: 'npm run verify -- ecosystem' },
    {
      count: Number(caught),
      what: `of ${seeded} seeded bugs detected`,
      inReadme: `of ${seeded} deliberately seeded bugs are detected by the suite`,
      command: 'npm run verify -- mutate',
    },
  ];
}

interface Recorded {
  readonly scenarios: number;
  readonly exchanges: number;
}

function paragraphs(): string {
  const [first, second] = ['hello-own-server', 'middleware-own-server'] as const;
  const ratio = (version: (typeof VERSIONS)[number], workload: Workload) =>
    ratioOf(version, workload).toFixed(1);
  const lines = proofs().map(
    ({ count, what, inReadme = what, command }) => `| ${shown(count)} ${inReadme} | \`${command}\` |\n`,
  );
  return (
    `- **Faster under your own server.** Behind \`http.createServer(app)\`, Nozomi serves ${ratio('24', first)}× as many short-text requests per CPU\n` +
    `  second as Express on Node.js 24, and ${ratio('24', second)}× through ten middleware functions and three nested routers (Node.js 20: ${ratio('20', first)}×\n` +
    `  and ${ratio('20', second)}×). Without a network: \`npm run bench -- js --node 20\`, or \`24\`; source: \`scripts/bench/js/ratios.json\`.\n` +
    '- **Tested for equality.** Status, headers in order, body bytes and log lines are compared with Express and morgan:\n\n' +
    `| | command |\n| --- | --- |\n${lines.join('')}`
  );
}

function shown(count: number): string {
  return count.toLocaleString('en');
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Draws the picture of README.md: speed on the left, proofs on the right, in colours for light and dark pages. */
function picture(): string {
  const bars = Object.entries(OWN_SERVER).flatMap(([about, workload], group) => {
    const top = 66 + group * 62;
    return [
      text(20, top, about),
      ...VERSIONS.flatMap((version, index) => {
        const ratio = ratioOf(version, workload);
        const y = top + 8 + index * 20;
        return [
          text(20, y + 12, `Node.js ${version}`, 'note'),
          `<rect x="96" y="${y}" width="${Math.round(ratio * 20)}" height="14" rx="2" class="ours"/>`,
          text(102 + Math.round(ratio * 20), y + 12, `${ratio.toFixed(1)}×`, 'note'),
        ];
      }),
    ];
  });
  const counts = proofs().flatMap(({ count, what }, index) => {
    const y = 84 + index * 46;
    return [
      `<text x="560" y="${y}" text-anchor="end" class="count">${shown(count)}</text>`,
      text(572, y - 2, what),
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 260" role="img" aria-labelledby="title">
<title id="title">Requests per CPU second relative to Express, and counts of clauses, scenarios, packages and caught faults</title>
<style>
text { font: 14px system-ui, sans-serif; fill: #1f2933 }
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
<rect width="840" height="260" rx="8" class="page"/>
${text(20, 34, 'Requests per CPU second, relative to Express', 'head')}
${bars.join('\n')}
${text(480, 34, 'Tested for equality with Express and morgan', 'head')}
${counts.join('\n')}
</svg>
`;
}

function text(x: number, y: number, content: string, kind = ''): string {
  return `<text x="${x}" y="${y}"${kind && ` class="${kind}"`}>${content}</text>`;
}
