/**
 * Plays scenarios over several transports. Responses and printed lines must equal those of a baseline: the same
 * implementation over HTTP/1.1 (`app.listen`), or the recordings of Express. Declared differences are allowed.
 */

import type { Divergence, TransportDivergence } from './divergences/divergence';
import { fold } from './divergences/folds';
import { TRANSPORT_DIVERGENCES } from './divergences/transports';
import { each, WIDTH } from './each';
import { type Observer, WorkerPool } from './implementations/observe';
import type { Implementation, Observation } from './implementations/protocol';
import { compare, type Difference } from './judge/compare';
import { judge, type Verdict } from './judge/judge';
import { reportOn } from './judge/report';
import type { Played } from './report/matrix';
import type { Entry } from './scenario/catalogue';
import { setFileTimes } from './scenario/file-times';
import { reasonNotPlain } from './transports/plain';
import type { Transport } from './transports/transport';

export interface MatrixOptions {
  readonly implementation: Implementation;
  readonly transports: readonly Transport[];
  readonly entries: readonly Entry[];
  /** Supplies the expected observations. Default: `implementation` over `app.listen`. */
  readonly baseline?: Observer;
  /** Express on Bun, Deno or workerd, if the implementation runs there. A difference that it shows, too, is not reported. */
  readonly alike?: Observer;
  /** Declared differences of Bun, Deno or workerd, besides those of the transport. */
  readonly declared?: readonly TransportDivergence[];
  /** The declared differences between the implementation and the baseline over HTTP/1.1. */
  readonly divergences?: readonly Divergence[];
  readonly concurrency?: number;
  onVerdict?(verdict: Verdict, done: number, total: number): void;
}

/** Plays the scenarios over each transport that can play them, and compares the observations with the baseline. */
export async function playMatrix(options: MatrixOptions): Promise<Played[]> {
  const { implementation, transports, entries, divergences = [] } = options;
  const declared = [...TRANSPORT_DIVERGENCES, ...(options.declared ?? [])];
  await setFileTimes();
  const right = options.baseline ?? new WorkerPool(implementation);
  const baseline = await observeAll(right, entries, options);
  const plays = transports.map((transport) => ({ transport, ...selectPlain(baseline, transport) }));
  const total = plays.reduce((sum, { played }) => sum + played.length, 0);
  // Other runtimes lose the async context, by which output is assigned to one of several scenarios.
  const width = implementation.runtime ? { concurrency: 1 } : options;
  const results: Played[] = [];
  let done = 0;
  for (const { transport, played, skipped } of plays) {
    const started = performance.now();
    const found = await observeAll(new WorkerPool(over(implementation, transport)), played, width);
    const compared = played.map((entry) => {
      const expected = fold(baseline.get(entry) as Observation, transport);
      const actual = fold(found.get(entry) as Observation, transport);
      return { entry, expected, actual, all: compare(expected, actual) };
    });
    const unequal = compared.filter(({ all }) => all.length > 0).map(({ entry }) => entry);
    const alike = options.alike && (await observeAll(options.alike, unequal, width));
    const verdicts = compared.map(({ entry, expected, actual, all }) => {
      const there = alike?.get(entry);
      const differences = there ? withoutShared(all, compare(fold(there, transport), actual)) : all;
      const differing = differences.map(({ place }) => place);
      const verdict = judge(
        entry,
        expected,
        actual,
        [
          ...declaredFor(declared, entry, transport, { all, differing }),
          ...withPlaces(divergences, entry, differing),
        ],
        { found: differences },
      );
      options.onVerdict?.(verdict, ++done, total);
      return verdict;
    });
    const report = reportOn(verdicts, {
      kind: 'scenarios',
      ofBuild: true,
      observers: [
        options.baseline ?? { name: 'listen', description: implementation.name },
        { name: transport, description: implementation.name },
      ],
      divergences: [],
      milliseconds: Math.round(performance.now() - started),
    });
    results.push({ transport, report, skipped });
  }
  return results;
}

/**
 * Removes the differences that Express shows on the same runtime. The server there may send a body without
 * Content-Length and ETag, so these are removed with the body.
 *
 * @param unlike The differences from Express on the same runtime.
 */
function withoutShared(all: readonly Difference[], unlike: readonly Difference[]): Difference[] {
  const own = new Set(unlike.map(({ place }) => place));
  const shared = new Set(all.flatMap(({ place }) => (own.has(place) ? [] : place)));
  return all.filter(
    ({ place }) =>
      !shared.has(place) && !shared.has(place.replace(/headers\.(content-length|etag)$/, 'body')),
  );
}

function selectPlain(
  baseline: ReadonlyMap<Entry, Observation>,
  transport: Transport,
): { played: Entry[]; skipped: Map<string, number> } {
  const skipped = new Map<string, number>();
  const played: Entry[] = [];
  for (const [entry, observation] of baseline) {
    const reason = reasonNotPlain(entry, observation, transport);
    if (reason === undefined) played.push(entry);
    else skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  }
  return { played, skipped };
}

/**
 * Returns the differences that are declared for a scenario. A declaration with the complete id is returned even if
 * nothing differs, so that the report calls it out of date.
 *
 * @param all The differences, with those that Express shows on the same runtime, too.
 * @param differing The places of the others.
 */
function declaredFor(
  declared: readonly TransportDivergence[],
  entry: Entry,
  transport: Transport,
  { all, differing }: { readonly all: readonly Difference[]; readonly differing: readonly string[] },
): Divergence[] {
  return declared.flatMap(({ id, transports, differs, why, scenarios, places }) => {
    const isNamed = scenarios.includes(entry.id);
    const isOfMany = scenarios.some((name) => name.endsWith('*') && entry.id.startsWith(name.slice(0, -1)));
    if (!transports.includes(transport) || !(isNamed || isOfMany)) return [];
    const shown = differing.filter((place) => places.test(place));
    const hasOccurred = all.some(({ place }) => places.test(place));
    if (shown.length === 0 && (hasOccurred || !isNamed)) return [];
    return {
      id,
      differs,
      why,
      clauses: [],
      scenarios: { [entry.id]: shown.length > 0 ? shown : [String(places)] },
    };
  });
}

/** Returns the differences that are declared for HTTP/1.1, limited to the places that differ over the transport. */
function withPlaces(
  divergences: readonly Divergence[],
  { id }: Entry,
  differing: readonly string[],
): Divergence[] {
  return divergences.flatMap((divergence) => {
    const places = divergence.scenarios[id]?.filter((place) => differing.includes(place)) ?? [];
    return places.length === 0 ? [] : [{ ...divergence, scenarios: { [id]: places } }];
  });
}

async function observeAll(
  observer: Observer,
  entries: readonly Entry[],
  { concurrency = WIDTH }: Pick<MatrixOptions, 'concurrency'>,
): Promise<Map<Entry, Observation>> {
  const found = new Map<Entry, Observation | undefined>(entries.map((entry) => [entry, undefined]));
  try {
    await observer.start();
    await each(
      [...entries],
      concurrency,
      async (entry) => void found.set(entry, await observer.observe(entry)),
    );
  } finally {
    await observer.stop();
  }
  return found as Map<Entry, Observation>;
}

/** Returns the implementation, with its entry points for Express 3 and 4, served over a transport. */
function over(implementation: Implementation, transport: Transport): Implementation {
  const { express3, express4 } = implementation;
  return {
    ...implementation,
    transport,
    ...(express3 && { express3: { ...express3, transport } }),
    ...(express4 && { express4: { ...express4, transport } }),
  };
}
