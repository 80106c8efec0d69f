// Measures the effort of TypeScript 5, 6 and 7 to check 200 routes, with the types of this package and of
// @types/express: instantiations, and the medians of time and memory. Run this script after a change to types and a
// build.
//
//   npm run bench -- types --rounds 5
//   npm run bench -- types --routes 1000   how many routes; default 200
//   npm run bench -- types --check      only instantiations, which do not depend on the machine
//   npm run bench -- types --check --newest   only with TypeScript 7; a step of `npm test`
//
// Exit code 1 if this package exceeds its budget of instantiations, or needs over 10 % more time or memory.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../parity/temporary-folder';
import { runCommand, toCount } from '../command';
import { packagesBelow, root } from '../package/tree';
import { median } from './statistics';

interface Cost {
  /** Instantiations of generic types and signatures. Every run gives the same number. */
  instantiations: number;
  seconds: number;
  megabytes: number;
}
type Side = 'nozomi' | '@types/express';

const SIDES: readonly Side[] = ['nozomi', '@types/express'];
/**
 * The maximum number of instantiations relative to @types/express. TypeScript 5 and 6 count more for the signatures that
 * carry the documentation of `app.use` and `app.get`.
 */
const BUDGETS: Readonly<Record<string, number>> = {
  'typescript-5': 1.08,
  '@typescript/typescript6': 1.08,
  typescript: 1.05,
};
const COMPILERS = Object.keys(BUDGETS);
/** The maximum time and memory relative to @types/express. Smaller excesses are noise. */
const WORSE = 1.1;

const work = temporaryFolder('bench-types');

runCommand({
  options: {
    rounds: { type: 'string', default: '5' },
    routes: { type: 'string', default: '200' },
    check: { type: 'boolean', default: false },
    newest: { type: 'boolean', default: false },
  },
  run({ values }) {
    const rounds = toCount('rounds', values.rounds);
    const routes = toCount('routes', values.routes);
    for (const side of SIDES) install(side, routes);
    const compilers = values.newest ? COMPILERS.slice(-1) : COMPILERS;
    if (values.check) return compilers.map(checkInstantiations).every(Boolean);
    console.log(`${routes} routes, median of ${rounds} rounds: check time, memory`);
    return compilers.map((compiler) => compare(compiler, rounds)).every(Boolean);
  },
});

/** @returns Whether the instantiations are within the budget. */
function checkInstantiations(compiler: string): boolean {
  const [ours, theirs] = SIDES.map((side) => compile(compiler, side).instantiations) as [number, number];
  const { version } = require(`${compiler}/package.json`);
  const ratio = ours / theirs;
  const budget = BUDGETS[compiler] ?? 1;
  console.log(
    `TypeScript ${version}: ${ours} instantiations, ${theirs} with @types/express: ratio ${ratio.toFixed(3)}, at most ${budget}`,
  );
  return ratio <= budget;
}

/** @returns Whether this package is within its limits of instantiations, time and memory. */
function compare(compiler: string, rounds: number): boolean {
  const isWithinBudget = checkInstantiations(compiler);
  const costs: Record<Side, Cost[]> = { nozomi: [], '@types/express': [] };
  for (let round = 0; round < rounds; round++) {
    // Alternate the order, so that a change of the machine's load affects both sides.
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed())
      costs[side].push(compile(compiler, side));
  }
  const cells = SIDES.map((side) => {
    const [seconds, megabytes] = [medianOf(costs[side], 'seconds'), medianOf(costs[side], 'megabytes')];
    return `${side} ${seconds.toFixed(2)} s ${megabytes.toFixed(0)} MB`;
  });
  // Compare within a round: other load on the machine affects both sides of it.
  const ratios = costs.nozomi.map((ours, round) => {
    const theirs = costs['@types/express'][round] as Cost;
    return { seconds: ours.seconds / theirs.seconds, megabytes: ours.megabytes / theirs.megabytes };
  });
  const [time, memory] = [medianOf(ratios, 'seconds'), medianOf(ratios, 'megabytes')];
  const { version } = require(`${compiler}/package.json`);
  console.log(
    `TypeScript ${version}: ${cells.join(', ')}; ratio ${time.toFixed(2)} in time, ${memory.toFixed(2)} in memory`,
  );
  return isWithinBudget && time <= WORSE && memory <= WORSE;
}

function compile(compiler: string, side: Side): Cost {
  const tsc = join(dirname(require.resolve(`${compiler}/package.json`)), 'bin', 'tsc');
  const printed = execFileSync(process.execPath, [tsc, '-p', '.', '--extendedDiagnostics'], {
    cwd: join(work, side),
    encoding: 'utf8',
  });
  const read = (label: string): number => {
    const found = printed.match(new RegExp(`^${label}:\\s+([\\d.]+)`, 'm'));
    if (!found) throw new Error(`${compiler}: the output of --extendedDiagnostics has no line "${label}"`);
    return Number(found[1]);
  };
  return {
    instantiations: read('Instantiations'),
    seconds: read('Total time'),
    megabytes: read('Memory used') / 1000,
  };
}

/** Creates a project that imports `express`: this package under that name, or @types/express. */
function install(side: Side, routes: number): void {
  const home = join(work, side);
  const modules = join(home, 'node_modules');
  mkdirSync(join(modules, '@types'), { recursive: true });
  const types = packagesBelow(side === 'nozomi' ? '' : 'node_modules/@types/express');
  for (const { name, folder } of types.filter(({ name }) => /^@types\/|^undici-types$/.test(name))) {
    cpSync(join(root, folder), join(modules, name), { recursive: true });
  }
  if (side === 'nozomi') {
    mkdirSync(join(modules, 'express'));
    cpSync(join(root, 'package.json'), join(modules, 'express', 'package.json'));
    cpSync(join(root, 'dist'), join(modules, 'express', 'dist'), { recursive: true });
  } else {
    cpSync(join(root, 'node_modules', side), join(modules, side), { recursive: true });
  }
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noEmit: true,
  };
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }));
  writeFileSync(join(home, 'app.ts'), program(routes));
}

/** Generates typical routes. Each has its own path, so that TypeScript cannot reuse the types of another route. */
function program(count: number): string {
  const kinds: readonly ((i: number) => string)[] = [
    (i) => `app.get('/plain/${i}', (req, res) => { res.send(req.path); });`,
    (i) =>
      `app.get('/users${i}/:id/books/:book', (req, res) => { res.json([req.params.id, req.params.book]); });`,
    (i) => `app.post('/items${i}/:id', express.json(), check, (req, res) => { res.json(req.body); });`,
    (i) => `app.route('/chain${i}/:id').get(check, (req, res) => { res.send(req.params.id); }).put(check);`,
  ];
  const routes = Array.from({ length: count }, (_, i) => kinds[i % kinds.length]?.(i));
  return `import express, { type RequestHandler } from 'express';
const app = express();
const check: RequestHandler = (_req, _res, next) => next();
${routes.join('\n')}
`;
}

type Weighed = Pick<Cost, 'seconds' | 'megabytes'>;

function medianOf(costs: readonly Weighed[], what: keyof Weighed): number {
  return median(costs.map((cost) => cost[what]));
}
