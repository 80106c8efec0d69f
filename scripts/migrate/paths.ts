// Converts random paths of Express 4, and compares each result with its path by express@4.22.3 and express@5.3.0
// themselves, on other targets than the conversion used. Run on demand, after a change of parity/migrate/path.
//
//   npm run migrate:paths -- --paths 100000 --seed 1
//
// Exit code 1 if a result does not match the same as its path, on at least 50 targets each.
import express5 from 'express';
import { convertPath, type Frameworks, type Place, prove } from '../../parity/migrate/path/convert';
import { randomPath } from '../../parity/migrate/path/random';
import { randomFrom } from '../../parity/seed';
import { runCommand, toCount } from '../command';

const FRAMEWORKS: Frameworks = { express4: require('express4'), express5 };

export interface Figures {
  paths: number;
  /** The number of paths by kind of result, and by reason for those that are refused. */
  readonly results: Map<string, number>;
  /** The number of targets of the second comparison, and of those that the paths match. */
  targets: number;
  matched: number;
  fewest: number;
  readonly wrong: string[];
}

/** @returns The results for random paths, each in a random context. */
export function convertRandomPaths(paths: number, seed: number): Figures {
  const random = randomFrom(seed);
  const either = (): boolean => random() < 0.5;
  const figures: Figures = { paths, results: new Map(), targets: 0, matched: 0, fewest: Infinity, wrong: [] };
  for (let i = 0; i < paths; i++) {
    const path = randomPath(random);
    const place: Place = {
      end: random() < 0.75,
      sensitive: random() < 0.1 ? [false, true] : [random() < 0.1],
      strict: random() < 0.1 ? [false, true] : [random() < 0.1],
      readsNumbers: either(),
    };
    judge(path, place, figures, i);
  }
  return figures;
}

function judge(path: string, place: Place, figures: Figures, index: number): void {
  const conversion = convertPath(path, place, FRAMEWORKS);
  const { results } = figures;
  const kind =
    conversion.kind === 'refused' ? `refused: ${conversion.why.split(':', 1)[0]}` : conversion.kind;
  results.set(kind, (results.get(kind) ?? 0) + 1);
  if (conversion.kind === 'refused') return;
  const result = conversion.kind === 'same' ? path : conversion.path;
  const isLoose = typeof result === 'string' && !place.readsNumbers;
  for (const sensitive of place.sensitive) {
    for (const strict of place.strict) {
      const use = { end: place.end, sensitive, strict };
      const proof = prove(path, result, use, FRAMEWORKS, { isLoose, seed: 1000 + index });
      if (!proof) figures.wrong.push(`${path} → ${result} (${JSON.stringify({ ...use, isLoose })})`);
      figures.targets += proof?.targets ?? 0;
      figures.matched += proof?.matched ?? 0;
      figures.fewest = Math.min(figures.fewest, proof?.targets ?? Infinity);
    }
  }
}

if (require.main === module) {
  runCommand({
    name: 'migrate:paths',
    file: __filename,
    options: {
      paths: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
    },
    run({ values }) {
      const figures = convertRandomPaths(toCount('paths', values.paths), toCount('seed', values.seed));
      for (const [kind, count] of [...figures.results].sort(([, a], [, b]) => b - a))
        console.log(`${String(count).padStart(8)}  ${kind}`);
      const { paths, targets, matched, fewest, wrong } = figures;
      console.log(
        `${paths} paths, compared again on ${targets} other targets (${matched} match), at least ${fewest} per path`,
      );
      for (const one of wrong) console.error(`wrong: ${one}`);
      console.log(`${wrong.length} wrong results`);
      return wrong.length === 0 && fewest >= 50;
    },
  });
}
