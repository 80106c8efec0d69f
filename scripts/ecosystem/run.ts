// Plays third-party packages written for Express on Express and on this build, and compares the results. Run by `npm
// run ecosystem`, on demand: it first installs several hundred packages below spec/ecosystem.
//
//   npm run ecosystem                     every case
//   npm run ecosystem -- passport ws      only these cases (or families of cases)
//   npm run ecosystem -- --json out.json  with both transcripts
//   npm run ecosystem -- --write          every case, then docs/ecosystem.md
//   npm run ecosystem -- --http2          this build over HTTP/2, compared with itself over HTTP/1.1; what differs is
//                                         declared in over-http2.ts
//   npm run ecosystem -- --check          only checks that docs/ecosystem.md lists these cases and versions
//
// Exit code 1 if a case differs, or if its result on Express itself is not the declared one.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { each, WIDTH } from '../../parity/each';
import { runCommand } from '../command';
import { formatLine } from '../table';
import { type Case, listCases } from './cases';
import { checkDocument, writeDocument } from './document';
import { openInstallations } from './installations';
import { compareTransports, judge, type Verdict } from './judge';
import { DIFFERING, NOT_PLAYED } from './over-http2';
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

/** Plays each case over HTTP/1.1 and HTTP/2: the results must be equal, unless a difference is declared. */
async function playOverHttp2(cases: readonly Case[]): Promise<boolean> {
  const { nozomi } = openInstallations();
  const counts = { same: 0, differing: 0, 'not played': 0, failed: 0 };
  await each(cases, WIDTH, async (one) => {
    const { result, details } = await judgeOverHttp2(one, nozomi);
    counts[result]++;
    const why = NOT_PLAYED[one.name] ?? DIFFERING[one.name];
    console.log(
      [
        formatLine([result === 'failed' ? '✗' : '✓', one.name, result], [-2, -52, -12]),
        ...(result === 'failed' ? details : why ? [why] : []).map((line) => `    ${line}`),
      ].join('\n'),
    );
  });
  const { failed, ...good } = counts;
  const [same, differing, notPlayed] = Object.values(good);
  console.log(`\n${same} the same, ${differing} differ as declared, ${notPlayed} not played as declared`);
  console.log(`${cases.length - failed} passed, ${failed} failed`);
  return failed === 0;
}

interface Http2Verdict {
  readonly result: 'same' | 'differing' | 'not played' | 'failed';
  readonly details: readonly string[];
}

async function judgeOverHttp2(one: Case, installation: string): Promise<Http2Verdict> {
  const over2 = await play(installation, one, 'http2');
  const skipped = over2.transcript.find((entry) => entry.skipped !== undefined)?.skipped;
  if (skipped !== undefined) {
    if (Object.hasOwn(NOT_PLAYED, one.name)) return { result: 'not played', details: [] };
    return { result: 'failed', details: [`uses the server itself: ${skipped}`] };
  }
  if (Object.hasOwn(NOT_PLAYED, one.name)) {
    return { result: 'failed', details: ['declared as not played, but it was'] };
  }
  const details = compareTransports(await play(installation, one), over2);
  if (!Object.hasOwn(DIFFERING, one.name)) {
    return { result: details.length === 0 ? 'same' : 'failed', details };
  }
  if (details.length > 0) return { result: 'differing', details };
  return { result: 'failed', details: ['declared as different, but it is the same'] };
}

function format({ one, result, details, milliseconds }: Verdict): string {
  const mark = details.length === 0 ? '✓' : '✗';
  const head = formatLine(
    [mark, one.name, result, `${(milliseconds / 1000).toFixed(1)} s`],
    [-2, -37, -12, 8],
  );
  return [head, ...details.map((line) => `    ${line}`)].join('\n');
}
