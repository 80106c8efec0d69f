// How long the compiler thinks about two hundred routes, and in how much memory: against this package, and against
// @types/express. In turns, medians. Run after a change of types, and a build.
//
//   npm run bench:types -- --rounds 5
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../parity/temporary-folder';
import { runCommand, toCount } from '../command';
import { packagesBelow, root } from '../package/tree';

interface Cost {
  seconds: number;
  megabytes: number;
}
type Side = 'nozomi' | '@types/express';

const SIDES: readonly Side[] = ['nozomi', '@types/express'];
const COMPILERS = ['typescript-5', 'typescript-6', 'typescript'];
const ROUTES = 200;

const work = temporaryFolder('bench-types');

runCommand({
  name: 'bench:types',
  file: __filename,
  options: { rounds: { type: 'string', default: '5' } },
  run({ values }) {
    const rounds = toCount('rounds', values.rounds);
    for (const side of SIDES) install(side);
    console.log(`${ROUTES} routes, median of ${rounds} rounds: check time, memory`);
    for (const compiler of COMPILERS) console.log(compare(compiler, rounds));
    return true;
  },
});

function compare(compiler: string, rounds: number): string {
  const costs: Record<Side, Cost[]> = { nozomi: [], '@types/express': [] };
  for (let round = 0; round < rounds; round++) {
    for (const side of SIDES) costs[side].push(compile(compiler, side));
  }
  const [ours, theirs] = SIDES.map((side) => medians(costs[side])) as [Cost, Cost];
  const { version } = require(`${compiler}/package.json`);
  const cells = SIDES.map((side, i) => {
    const { seconds, megabytes } = [ours, theirs][i] as Cost;
    return `${side} ${seconds.toFixed(2)} s ${megabytes.toFixed(0)} MB`;
  });
  const time = (ours.seconds / theirs.seconds).toFixed(2);
  const memory = (ours.megabytes / theirs.megabytes).toFixed(2);
  return `TypeScript ${version}: ${cells.join(', ')}; ratio ${time} in time, ${memory} in memory`;
}

function compile(compiler: string, side: Side): Cost {
  const tsc = join(dirname(require.resolve(`${compiler}/package.json`)), 'bin', 'tsc');
  const printed = execFileSync(process.execPath, [tsc, '-p', '.', '--extendedDiagnostics'], {
    cwd: join(work, side),
    encoding: 'utf8',
  });
  const read = (label: string): number => {
    const found = printed.match(new RegExp(`^${label}:\\s+([\\d.]+)`, 'm'));
    if (!found) throw new Error(`${compiler} states no ${label}`);
    return Number(found[1]);
  };
  return { seconds: read('Total time'), megabytes: read('Memory used') / 1000 };
}

/** A project with the package under the name of Express, or with the types of Express. */
function install(side: Side): void {
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
  writeFileSync(join(home, 'app.ts'), program());
}

/** Routes of the kinds that applications have, each with its own path, so that nothing is inferred twice. */
function program(): string {
  const kinds: readonly ((i: number) => string)[] = [
    (i) => `app.get('/plain/${i}', (req, res) => { res.send(req.path); });`,
    (i) =>
      `app.get('/users${i}/:id/books/:book', (req, res) => { res.json([req.params.id, req.params.book]); });`,
    (i) => `app.post('/items${i}/:id', express.json(), check, (req, res) => { res.json(req.body); });`,
    (i) => `app.route('/chain${i}/:id').get(check, (req, res) => { res.send(req.params.id); }).put(check);`,
  ];
  const routes = Array.from({ length: ROUTES }, (_, i) => kinds[i % kinds.length]?.(i));
  return `import express, { type RequestHandler } from 'express';
const app = express();
const check: RequestHandler = (_req, _res, next) => next();
${routes.join('\n')}
`;
}

function medians(costs: readonly Cost[]): Cost {
  const middle = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] as number;
  return {
    seconds: middle(costs.map(({ seconds }) => seconds)),
    megabytes: middle(costs.map(({ megabytes }) => megabytes)),
  };
}
