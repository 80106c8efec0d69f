// Plays third-party packages written for Express on Express and on this build, and compares the results. Run by `npm
// run ecosystem`, on demand: it first installs several hundred packages below spec/ecosystem.
//
//   npm run ecosystem                     every case
//   npm run ecosystem -- passport ws      only these cases (or families of cases)
//   npm run ecosystem -- --json out.json  with both transcripts
//   npm run ecosystem -- --write          every case, then docs/ecosystem.md
//   npm run ecosystem -- --http2          this build over HTTP/2, compared with itself over HTTP/1.1
//   npm run ecosystem -- --check          only checks that docs/ecosystem.md lists these cases and versions
//
// Exit code 1 if a case differs, or does on Express itself what it does not declare.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { each, WIDTH } from '../../parity/each';
import { runCommand } from '../command';
import { formatLine } from '../table';
import { type Case, listCases } from './cases';
import { checkDocument, writeDocument } from './document';
import { openInstallations } from './installations';
import { compareTransports, judge, type Verdict } from './judge';
import { play } from './play';

runCommand({
  name: 'ecosystem',
  file: __filename,
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    http2: { type: 'boolean', default: false },
  },
  run({ values, positionals }) {
    const cases = listCases(positionals);
    if (values.check) return checkDocument(cases);
    if (values.http2) return playOverHttp2(cases);
    return playAll(cases, { json: values.json, isWritten: values.write && positionals.length === 0 });
  },
});

async function playAll(
  cases: readonly Case[],
  options: { json: string | undefined; isWritten: boolean },
): Promise<boolean> {
  const installations = openInstallations();
  const verdicts: Verdict[] = [];
  await each(cases, WIDTH, async (one) => {
    const [theirs, ours] = [await play(installations.express, one), await play(installations.nozomi, one)];
    const verdict = judge(one, theirs, ours);
    verdicts.push(verdict);
    console.log(format(verdict));
  });

  const failed = verdicts.filter(({ isGood }) => !isGood).length;
  if (options.json) {
    mkdirSync(dirname(options.json), { recursive: true });
    writeFileSync(options.json, JSON.stringify(verdicts, null, 2));
  }
  if (options.isWritten && failed === 0) writeDocument(cases);
  console.log(`\n${verdicts.length - failed} passed, ${failed} failed`);
  return failed === 0;
}

/** Plays cases that only send requests to an application over HTTP/1.1 and HTTP/2. */
async function playOverHttp2(cases: readonly Case[]): Promise<boolean> {
  const { nozomi } = openInstallations();
  let [passed, failed, skipped] = [0, 0, 0];
  await each(cases, WIDTH, async (one) => {
    const over2 = await play(nozomi, one, 'http2');
    if (over2.transcript.some((entry) => entry.skipped !== undefined)) {
      skipped++;
      return;
    }
    const details = compareTransports(await play(nozomi, one), over2);
    if (details.length === 0) passed++;
    else failed++;
    console.log(
      [`${details.length === 0 ? '✓' : '✗'} ${one.name}`, ...details.map((line) => `    ${line}`)].join('\n'),
    );
  });
  console.log(`\n${skipped} not played: they use the server itself`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

function format({ one, result, details, milliseconds }: Verdict): string {
  const mark = details.length === 0 ? '✓' : '✗';
  const head = formatLine(
    [mark, one.name, result, `${(milliseconds / 1000).toFixed(1)} s`],
    [-2, -37, -12, 8],
  );
  return [head, ...details.map((line) => `    ${line}`)].join('\n');
}
