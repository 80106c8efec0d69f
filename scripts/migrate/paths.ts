// Converts random paths of Express 4 to Express 5, and checks that both match the same request targets: the original on
// express@4.22.3, the result on express@5.3.0. The targets are not those that the conversion itself tries. Run this
// script after a change to parity/migrate/path.
//
//   npm run check -- migrate-paths --paths 100000 --seed 1
//
// Exit code 1 if a result does not match the same targets, or if a path was compared on fewer than 50 targets.
import express5 from 'express';
import { convertPath, type Frameworks, type Place, prove } from '../../parity/migrate/path/convert';
import { randomPath } from '../../parity/migrate/path/random';
import { randomFrom } from '../../parity/seed';
import { runCommand, toCount } from '../command';

const FRAMEWORKS: Frameworks = { express4: require('express4'), express5 };

export interface Figures {
  paths: number;
  /** The number of paths by kind of result: `same`, `string`, `regexp` or `refused: <reason>`. */
  readonly results: Map<string, number>;
  /** The number of targets on which paths and results were compared. */
  targets: number;
  /** The number of these targets that the path matches. */
  matched: number;
  /** The smallest number of targets for one path with one combination of options. */
  fewest: number;
  /** One line for each result that does not match the same targets as its path. */
  readonly wrong: string[];
}

/** Converts random paths, each with random options of the router, and compares the results with the paths. */
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
