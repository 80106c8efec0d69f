/** Compares the runs of an application under both implementations: each request, and the output of its process. */
import { VARIES } from '../divergences';
import type { Divergence } from '../divergences/divergence';
import { NOTHING } from '../implementations/observe';
import type { Observation } from '../implementations/protocol';
import { allows } from '../judge/allowed';
import { toPlaces } from '../judge/compare';
import { judge, type Subject, type Verdict } from '../judge/judge';
import { type Majority, majorityOf } from '../judge/majority';
import { matched } from '../judge/matchers';
import { OUTPUT } from '../judge/report';
import { type JudgedRuns, judgeRuns, lengthsAtThreshold } from '../judge/runs';
import type { Traffic } from './traffic';

/** A part of a run that has its own id in the report: a request, or the output of the application. */
export interface Part {
  readonly entry: Subject;
  part(run: Observation): Observation;
}

/** The runs of both implementations, in order. */
export interface Runs {
  readonly baselines: Observation[];
  readonly candidates: Observation[];
}

export function partsOf(
  { traffic, isSelected }: { readonly traffic: Traffic; isSelected?(id: string): boolean },
  section: string,
): Part[] {
  const toEntry = (name: string, number?: number): Subject => ({
    id: `${section}: ${name}`,
    section,
    scenario: { name, clauses: [] },
    ...(number !== undefined && { number }),
  });
  const requests = traffic.requests.map(
    ({ id }, index): Part => ({
      entry: toEntry(id, index + 1),
      part: (run) => ({
        ...NOTHING,
        ...(run.lost !== undefined && { lost: run.lost }),
        ...(run.catchesAll && { catchesAll: run.catchesAll }),
        exchanges: run.exchanges.slice(index, index + 1),
      }),
    }),
  );
  const written: Part = {
    entry: toEntry(OUTPUT),
    part: (run) => ({ ...run, exchanges: [] }),
  };
  return [...requests, written].filter(({ entry }) => !isSelected || isSelected(entry.id));
}

/** A part with the runs that count for it. */
interface PartRuns {
  readonly entry: Subject;
  readonly baseline: Majority;
  readonly candidate: Majority;
}

/**
 * Returns the runs that count for each part: of a request those without an accident, and of the output those in which no
 * request had one.
 */
function partRuns(parts: readonly Part[], { baselines, candidates }: Runs): PartRuns[] {
  const side = (runs: readonly Observation[]): Majority[] => {
    const requests = parts.map(({ entry, part }) =>
      entry.number === undefined ? undefined : majorityOf(runs.map(part)),
    );
    const disturbed = new Set<number>();
    for (const [index, one] of requests.entries()) {
      if (!one || one.accidents === '') continue;
      const counting = new Set(one.runs.map(({ exchanges: [exchange] }) => exchange));
      for (const [run, seen] of runs.entries())
        if (!counting.has(parts[index]?.part(seen).exchanges[0])) disturbed.add(run);
    }
    const calm = runs.filter((_run, index) => !disturbed.has(index));
    const written = calm.length > 0 ? calm : runs;
    return requests.map(
      (one, index) =>
        one ?? { runs: written.map((run) => parts[index]?.part(run) ?? run), accidents: '', isReached: true },
    );
  };
  const [a, b] = [side(baselines), side(candidates)];
  return parts.map(({ entry }, index) => ({
    entry,
    baseline: a[index] as Majority,
    candidate: b[index] as Majority,
  }));
}

/** Whether a request had an accident, and too few runs to say what is usual. */
export function lacksMajority(parts: readonly Part[], runs: Runs): boolean {
  return partRuns(parts, runs).some(
    ({ baseline, candidate }) => !baseline.isReached || (runs.candidates.length > 0 && !candidate.isReached),
  );
}

export function hasDifferences(
  parts: readonly Part[],
  runs: Runs,
  divergences: readonly Divergence[],
): boolean {
  const lengths = lengthsAtThreshold(runs.baselines, runs.candidates);
  return partRuns(parts, runs).some((part) => {
    const { differences } = judgePart(part, lengths);
    const { id } = part.entry;
    const rules = matched(divergences, differences, placesOf(part), id);
    const declared = [...divergences.filter(isConstant), ...rules];
    return differences.some((one) => !declared.some((divergence) => allows(divergence, id, one)));
  });
}

/** Whether a divergence declares a difference. That a value varies, as `--accept` writes it, excuses no difference. */
function isConstant({ id }: Divergence): boolean {
  return id !== VARIES;
}

function judgePart({ baseline, candidate }: PartRuns, lengths: readonly number[]): JudgedRuns {
  return judgeRuns(baseline.runs, candidate.runs, lengths);
}

function placesOf({ baseline, candidate }: PartRuns): [Map<string, string>, Map<string, string>] {
  return [toPlaces(baseline.runs[0] ?? NOTHING), toPlaces(candidate.runs[0] ?? NOTHING)];
}

/** Judges all parts. What is said about the accidents of runs is added to `remarks`. */
export function judgeParts(
  parts: readonly Part[],
  runs: Runs,
  divergences: readonly Divergence[],
  [baselineName, candidateName]: readonly [string, string],
): { verdicts: Verdict[]; remarks: string[] } {
  const lengths = lengthsAtThreshold(runs.baselines, runs.candidates);
  const remarks: string[] = [];
  const verdicts = partRuns(parts, runs).map((part): Verdict => {
    const { entry, baseline, candidate } = part;
    const judged = judgePart(part, lengths);
    const { differences, varying, unsteady } = judged;
    const varies: Divergence = {
      id: VARIES,
      clauses: [],
      differs: 'This value differs between runs of one implementation: an id, a clock, a random value',
      why: 'Express itself does not repeat the value, so no other implementation can.',
      scenarios: { [entry.id]: varying.map(({ place }) => place) },
    };
    const rules = matched(divergences, differences, placesOf(part), entry.id);
    for (const [name, { accidents, isReached }] of [
      [baselineName, baseline],
      [candidateName, candidate],
    ] as const)
      if (accidents !== '')
        remarks.push(
          `${entry.scenario.name}: ${name} had ${accidents}${isReached ? '; the others are compared' : ''}`,
        );
    // An accident of Express is none of the candidate. One of the candidate may be its own fault.
    const known = new Set(
      divergences.flatMap((one) => (isConstant(one) ? [] : (one.scenarios[entry.id] ?? []))),
    );
    const isUnsteady = candidate.accidents !== '' || !baseline.isReached;
    return judge(
      entry,
      baseline.runs[0] ?? NOTHING,
      candidate.runs[0] ?? NOTHING,
      [varies, ...divergences.filter(isConstant), ...rules],
      {
        found: [...differences, ...varying],
        unsteady,
        uncompared: [...new Set([...(isUnsteady ? ['1.status'] : []), ...judged.uncompared])].filter(
          (place) => !known.has(place),
        ),
      },
    );
  });
  return { verdicts, remarks };
}
