// Tests the parity suite: seeds one fault at a time into a copy of the build, and replays the recorded scenarios until
// one catches the fault. Run this script after a change to the suite or to many scenarios, after a build.
//
//   npm run check -- mutate                         every fault; takes some minutes
//   npm run check -- mutate --only logger        only faults of this module, or with this text in their name
//   npm run check -- mutate --sample             one fault per module; a step of `npm test -- --ci`
//   npm run check -- mutate --jobs 4             how many faults to play at a time
//
// scripts/mutate/faults/ lists the faults. A fault that no scenario catches must have a reason in `survives`; a fault
// that is caught must not. Exit code 1 if that is not so, or if fewer than 95 % are caught. Exit code 2 if the code of
// a fault does not occur exactly once in its file, if its clause does not exist, or if the copy differs without a
// fault.
import { Corpus, isRecorded } from '../../parity/corpus/corpus';
import { each, WIDTH } from '../../parity/each';
import { type Entry, readCatalogue } from '../../parity/scenario/catalogue';
import { setFileTimes } from '../../parity/scenario/file-times';
import clauses from '../../spec/clauses.json';
import ofExpress4 from '../../spec/express4.json';
import { median } from '../bench/statistics';
import { runCommand, toCount } from '../command';
import { formatLine } from '../table';
import { textWith } from './copy';
import { FAULTS, SAMPLE, type Seeded } from './faults';
import { inOrderOf, type Outcome, playCopy, runSpec } from './play';

/** The fraction of faults that scenarios must catch. */
const MIN_SHARE_CAUGHT = 0.95;

type Result = Seeded & Outcome;

runCommand({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    sample: { type: 'boolean', default: false },
    jobs: { type: 'string', default: `${WIDTH}` },
  },
  async run({ values }) {
    const jobs = toCount('jobs', values.jobs);
    checkEntries();
    const faults = (values.sample ? SAMPLE : FAULTS).filter(
      ({ module, name }) =>
        values.only.length === 0 ||
        values.only.some((text) => module === text || (!isModule(text) && name.includes(text))),
    );
    if (faults.length === 0)
      throw new TypeError(`--only: no module or fault matches: ${values.only.join(', ')}`);
    return printResults(await seed(faults, jobs));
  },
});

function isModule(text: string): boolean {
  return FAULTS.some(({ module }) => module === text);
}

/**
 * Checks the entries of all faults, not only of the selected ones.
 *
 * @throws Error with one line for each wrong entry.
 */
function checkEntries(): void {
  const known = new Set([...clauses, ...ofExpress4.clauses].map(({ id }) => id));
  const wrong = FAULTS.flatMap((fault) => {
    const unknown = fault.breaks.filter((id) => !known.has(id));
    const named = unknown.map((id) => `fault "${fault.name}": there is no clause ${id}`);
    try {
      textWith(fault);
      return named;
    } catch (err) {
      return [...named, (err as Error).message];
    }
  });
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

async function seed(faults: readonly Seeded[], jobs: number): Promise<Result[]> {
  const entries = readCatalogue().filter(isRecorded);
  const corpus = new Corpus();
  await Promise.all([corpus.start(), setFileTimes()]);
  const results: Result[] = [];
  await each(faults, jobs, async (fault, index) => {
    const { spec } = fault;
    const outcome = spec ? runSpec(spec, fault) : playCopy(corpus, inOrderOf(fault, entries), fault);
    const result = { ...fault, ...(await outcome) };
    results[index] = result;
    console.log(lineOf(result));
  });
  await checkControl(corpus, entries, results);
  return results;
}

/** Plays, on the unchanged build, the scenarios and specs that caught a fault. @throws Error if one of them fails. */
async function checkControl(
  corpus: Corpus,
  entries: readonly Entry[],
  results: readonly Result[],
): Promise<void> {
  const used = new Set(results.map(({ caught }) => caught?.scenario));
  const played = entries.filter(({ id }) => used.has(id));
  const controls = [() => playCopy(corpus, played)];
  for (const spec of new Set(results.flatMap((result) => result.spec ?? [])))
    controls.push(() => runSpec(spec));
  for (const control of controls) {
    const { caught } = await control();
    if (!caught) continue;
    const { scenario, place, expected, actual } = caught;
    throw new Error(
      `the copy differs without a fault: ${scenario}, ${place}: expected ${expected}, got ${actual}`,
    );
  }
}

function lineOf({ module, name, caught, played, milliseconds, survives }: Result): string {
  const seconds = `${(milliseconds / 1000).toFixed(1)} s`;
  if (caught)
    return `✓ ${module}: ${name}\n    ${caught.scenario} › ${caught.place} (${played} played, ${seconds})`;
  return `${survives ? '–' : '✗'} ${module}: ${name}\n    not caught by ${played} scenarios, ${seconds}${survives ? `: ${survives}` : ''}`;
}

function printResults(results: readonly Result[]): boolean {
  const caught = results.filter((result) => result.caught);
  const unexplained = results.filter((result) => !result.caught && !result.survives);
  const stale = caught.filter(({ survives }) => survives);
  const widths = [-13, 8, 8, 17, 13];
  console.log(`\n${formatLine(['module', 'faults', 'caught', 'by 1st scenario', 'median time'], widths)}`);
  for (const module of [...new Set(results.map((result) => result.module)), 'all']) {
    const some = results.filter((result) => module === 'all' || result.module === module);
    const seen = some.filter((result) => result.caught);
    const first = seen.filter(({ played }) => played === 1);
    const time = seen.length > 0 ? median(seen.map(({ milliseconds }) => milliseconds)) : 0;
    const cells = [module, some.length, seen.length, first.length, `${(time / 1000).toFixed(1)} s`];
    console.log(formatLine(cells, widths));
  }
  for (const { module, name } of unexplained)
    console.error(
      `${module}: ${name}: nothing catches this fault: add a scenario, a "spec", or a reason in "survives"`,
    );
  for (const { module, name } of stale)
    console.error(`${module}: ${name}: a scenario catches this fault: remove "survives" from its entry`);
  const failed = unexplained.length + stale.length;
  console.log(`${caught.length} of ${results.length} faults caught`);
  console.log(`${results.length - failed} passed, ${failed} failed`);
  return failed === 0 && caught.length >= MIN_SHARE_CAUGHT * results.length;
}
