/** Replays the recorded scenarios on a copy of the build with one seeded fault, until a scenario differs. */
import { join } from 'node:path';
import type { Corpus } from '../../parity/corpus/corpus';
import { BUILD, EXPRESS3_BUILD, EXPRESS4_BUILD, inRealm } from '../../parity/implementations/implementations';
import { WorkerPool } from '../../parity/implementations/observe';
import type { Implementation } from '../../parity/implementations/protocol';
import { ABSENT } from '../../parity/judge/compare';
import { DIVERGENCES } from '../../parity/judge/divergences';
import { judge, type Verdict } from '../../parity/judge/judge';
import type { Entry } from '../../parity/scenario/catalogue';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { type Fault, writeCopy } from './fault';

/** The first difference from the recording: the scenario caught the fault. */
export interface Catch {
  readonly scenario: string;
  /** The place that differs, such as `1.status`; `lost` if nothing could be compared. */
  readonly place: string;
  readonly wanted: string;
  readonly came: string;
}

export interface Outcome {
  readonly caught: Catch | undefined;
  /** The number of scenarios that were played. */
  readonly played: number;
  readonly milliseconds: number;
}

/**
 * Replays scenarios on a copy of the build until one differs from its recording.
 *
 * @param entries The scenarios to play, in this order.
 * @param fault The fault to seed; undefined for the unchanged build.
 * @throws ImplementationLost if the copy does not load. Any scenario would catch such a fault.
 */
export async function playCopy(corpus: Corpus, entries: readonly Entry[], fault?: Fault): Promise<Outcome> {
  const started = performance.now();
  const folder = temporaryFolder('mutate');
  await writeCopy(folder, fault);
  const copy = implementationIn(join(folder, 'dist'));
  const pool = new WorkerPool(fault?.inRealm ? inRealm(copy) : copy);
  let played = 0;
  let caught: Catch | undefined;
  try {
    await pool.start();
    for (const entry of entries) {
      played++;
      const [wanted, came] = [await corpus.observe(entry), await pool.observe(entry)];
      caught = catchOf(judge(entry, wanted, came, DIVERGENCES));
      if (caught) break;
    }
  } finally {
    await pool.stop();
    removeFolder(folder);
  }
  return { caught, played, milliseconds: Math.round(performance.now() - started) };
}

function implementationIn(dist: string): Implementation {
  const [logger, name] = [join(dist, 'logger', 'index.js'), 'copy'];
  const express3 = { ...EXPRESS3_BUILD, name, logger, framework: join(dist, 'express3', 'index.js') };
  const express4 = { ...EXPRESS4_BUILD, name, logger, framework: join(dist, 'express4', 'index.js') };
  return { ...BUILD, name, logger, framework: join(dist, 'index.js'), express3, express4 };
}

function catchOf({ entry, state, differences, stale, problem = '' }: Verdict): Catch | undefined {
  if (state === 'equal' || state === 'declared') return undefined;
  const [first] = differences;
  if (first) return { scenario: entry.id, ...first };
  const [expected] = stale;
  if (expected) return { scenario: entry.id, place: expected.place, wanted: ABSENT, came: 'no difference' };
  return { scenario: entry.id, place: 'lost', wanted: 'an observation', came: problem };
}

/**
 * Sorts scenarios so that a fault is caught early: those of the clauses that the fault breaks, then those of the same
 * sections, then all others. In each group, scenarios that need their own process are last, because they are slow.
 */
export function inOrderOf({ breaks }: Fault, entries: readonly Entry[]): Entry[] {
  const sections = new Set(breaks.map(sectionOf));
  const distance = ({ scenario: { clauses, alone } }: Entry): number => {
    const far = clauses.some((id) => breaks.includes(id))
      ? 0
      : clauses.some((id) => sections.has(sectionOf(id)))
        ? 1
        : 2;
    return 2 * far + (alone ? 1 : 0);
  };
  return [...entries].sort((a, b) => distance(a) - distance(b));
}

function sectionOf(clause: string): string {
  return clause.replace(/-?\d+$/, '');
}
