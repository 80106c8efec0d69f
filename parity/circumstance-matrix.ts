/** Plays scenarios under circumstances, with two implementations: both must send and print the same. */
import { CIRCUMSTANCES } from './circumstances';
import type { Circumstance } from './circumstances/circumstance';
import { Corpus } from './corpus/corpus';
import { DIVERGENCES } from './divergences';
import { CIRCUMSTANCE_DIVERGENCES } from './divergences/circumstances';
import type { Divergence } from './divergences/divergence';
import { each, WIDTH } from './each';
import { BUILD, REFERENCE, underCircumstance } from './implementations/implementations';
import { type Observer, WorkerPool } from './implementations/observe';
import type { Implementation, Observation } from './implementations/protocol';
import { compare } from './judge/compare';
import { judge, type Verdict } from './judge/judge';
import { reportOn } from './judge/report';
import type { Surrounded } from './report/circumstances';
import type { Entry } from './scenario/catalogue';
import { setFileTimes } from './scenario/file-times';

export interface CircumstanceOptions {
  readonly circumstances: readonly string[];
  readonly entries: readonly Entry[];
  readonly implementations?: readonly [Implementation, Implementation];
  /** What Express sends without a circumstance; default: the recordings. */
  readonly recorded?: Observer;
  /** How many circumstances are played at once. */
  readonly concurrency?: number;
  /** Called after each comparison. `done` counts the comparisons so far. */
  onVerdict?(done: number): void;
}

/** Plays the scenarios under each circumstance. Scenarios play one after another: they share what is replaced. */
export async function playCircumstances(options: CircumstanceOptions): Promise<Surrounded[]> {
  const { circumstances, concurrency = WIDTH, recorded = new Corpus() } = options;
  await Promise.all([setFileTimes(), recorded.start()]);
  const results: Surrounded[] = [];
  let done = 0;
  await each(circumstances, concurrency, async (name, index) => {
    results[index] = await playUnder(name, recorded, options, () => options.onVerdict?.(++done));
  });
  return results;
}

async function playUnder(
  name: string,
  recorded: Observer,
  { entries, implementations = [REFERENCE, BUILD] }: CircumstanceOptions,
  onVerdict: () => void,
): Promise<Surrounded> {
  const started = performance.now();
  const circumstance = CIRCUMSTANCES[name] as Circumstance;
  const { client: { times = 1 } = {} } = circumstance;
  const [right, judged] = implementations.map((one) => new WorkerPool(underCircumstance(one, name))) as [
    WorkerPool,
    WorkerPool,
  ];
  const skipped = new Map<string, number>();
  const failing = new Map<Entry, string>();
  const verdicts: Verdict[] = [];
  try {
    for (const entry of entries) {
      const usual = await recorded.observe(entry);
      const reason = reasonNotPlayed(circumstance, entry, usual);
      if (reason !== undefined) {
        skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
        continue;
      }
      const seen = await Promise.all([right, judged].map((one) => observeUnder(circumstance, one, entry)));
      const verdict = judgeUnder(name, entry, seen as [Observation, Observation], times);
      const failure = failureOf(entry, verdict, usual, times);
      if (failure === undefined) verdicts.push(verdict);
      else failing.set(entry, failure);
      onVerdict();
    }
  } finally {
    await Promise.all([right.stop(), judged.stop()]);
  }
  const report = reportOn(verdicts, {
    kind: 'scenarios',
    ofBuild: true,
    observers: [right, judged].map((one) => ({ name: `${one.name}, ${name}`, description: one.description })),
    divergences: [],
    milliseconds: Math.round(performance.now() - started),
  });
  return { circumstance: name, report, failing, skipped };
}

/** Finds the reason why a scenario is not played; undefined if it is. */
function reasonNotPlayed(circumstance: Circumstance, entry: Entry, usual: Observation): string | undefined {
  if (usual.lost !== undefined) return 'no recording';
  // If the client leaves, a difference does not show at its place.
  if (circumstance.client?.leaves && DIVERGENCES.some(({ scenarios }) => Object.hasOwn(scenarios, entry.id)))
    return 'a declared difference';
  return circumstance.reasonNotPlayed?.(entry, usual);
}

/** Plays a scenario, and removes the lines that the circumstance makes random or that Node.js writes about it. */
async function observeUnder(
  { hides, fold = (exchange) => exchange }: Circumstance,
  observer: Observer,
  entry: Entry,
): Promise<Observation> {
  const seen = await observer.observe(entry);
  return {
    ...seen,
    exchanges: seen.exchanges.map(fold),
    stderr: hides ? seen.stderr.filter((line) => !hides.test(line)) : seen.stderr,
  };
}

/** Compares the observations of a scenario. What is declared without a circumstance may differ, but need not. */
function judgeUnder(
  name: string,
  entry: Entry,
  [expected, actual]: readonly [Observation, Observation],
  times: number,
): Verdict {
  const differing = compare(expected, actual).map(({ place }) => place);
  const usual = DIVERGENCES.flatMap((divergence): Divergence[] => {
    const places = divergence.scenarios[entry.id]?.flatMap((place) => repeated(place, times)) ?? [];
    return [{ ...divergence, isOptional: true, scenarios: { [entry.id]: places } }];
  });
  const own = CIRCUMSTANCE_DIVERGENCES.flatMap(({ id, differs, why, circumstances, scenarios, places }) => {
    if (!circumstances.includes(name) || !scenarios.includes(entry.id)) return [];
    const shown = differing.filter((place) => places.test(place));
    return [
      {
        id,
        differs,
        why,
        clauses: [],
        scenarios: { [entry.id]: shown.length > 0 ? shown : [String(places)] },
      },
    ];
  });
  return judge(entry, expected, actual, [...usual, ...own]);
}

/** Returns the places of a request that is sent several times: `2.body` becomes `3.body` and `4.body`. */
function repeated(place: string, times: number): string[] {
  const [, where = '', number = '', rest = ''] = /^(\D*)(\d+)(.*)$/s.exec(place) ?? [];
  if (times === 1 || number === '') return [place];
  return Array.from(
    { length: times },
    (_, index) => `${where}${(Number(number) - 1) * times + index + 1}${rest}`,
  );
}

/**
 * Finds out why a comparison with Express says nothing: it ended, could not build the application, or responds 500, or
 * it behaves differently under the circumstance, while the other implementation behaves as usual.
 *
 * @param usual What Express sends without the circumstance.
 */
function failureOf(
  { id }: Entry,
  { state, seen: [expected, actual] }: Verdict,
  usual: Observation,
  times: number,
): string | undefined {
  if (expected.lost !== undefined) return 'Express ends';
  if (expected.threw !== undefined && usual.threw === undefined) return `Express throws ${expected.threw}`;
  if (state !== 'different') return undefined;
  const [error] = expected.uncaught.filter((line) => !usual.uncaught.includes(line));
  if (error !== undefined) return `Express does not catch ${error}`;
  const usuallySeen = { ...usual, exchanges: usual.exchanges.flatMap((one) => Array(times).fill(one)) };
  const isFailing = expected.exchanges.some(
    ({ response }, index) => response.status === 500 && usuallySeen.exchanges[index]?.response.status !== 500,
  );
  if (isFailing) return 'Express responds 500';
  const declared = new Set(
    DIVERGENCES.flatMap(({ scenarios }) => scenarios[id]?.flatMap((place) => repeated(place, times)) ?? []),
  );
  const isAsUsual = compare(
    usuallySeen,
    times === 1 ? actual : { ...usuallySeen, exchanges: actual.exchanges },
  ).every(({ place }) => declared.has(place));
  return isAsUsual ? 'only Express behaves differently' : undefined;
}
