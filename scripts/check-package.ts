// Whether the package is what its users will get: packs it, lets publint and attw judge the tarball, then installs
// it under the name `express` beside nothing but its dependencies, loads it through every door, compiles against it
// bundles it, and compares it with Express as a stranger would. Last come the dependencies themselves, and docs/package.md, which tells of them.
//
//   npm run package               before a release, and as a stage of `npm test`
//   npm run package -- --runners  also webpack, Jest and Vitest, installed from the registry (about 100 MB)
//   npm run package -- --write    writes docs/package.md
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../parity/temporary-folder';
import { runCommand } from './command';
import { checkEsbuild, checkWebpack, writeViews } from './package/bundles';
import { DOORS, TYPED } from './package/consumer';
import { checkDependencies } from './package/dependencies';
import { checkDocument, writeDocument } from './package/document';
import { run } from './package/run';
import { checkJest, checkVitest, installHeavy } from './package/runners';
import { checkStranger } from './package/stranger';
import { packagesBelow, root } from './package/tree';

const work = temporaryFolder('package');
const home = join(work, 'home');
const alone = join(work, 'alone');
const heavy = join(work, 'heavy');

const CHECKS: Readonly<Record<string, (tarball: string) => unknown>> = {
  publint: (tarball) => run(bin('publint'), ['run', tarball, '--strict'], root),
  attw: (tarball) => run(bin('attw'), [tarball, '--exclude-entrypoints', 'package.json'], root),
  ...Object.fromEntries(Object.entries(DOORS).map(([file, source]) => [file, () => load(file, source)])),
  types: compile,
  stranger: (tarball) => checkStranger(tarball, join(work, 'stranger')),
  esbuild: () => checkEsbuild(home, alone),
  dependencies: checkDependencies,
  document: checkDocument,
};
const RUNNERS: typeof CHECKS = {
  webpack: () => checkWebpack(heavy, alone),
  Jest: () => checkJest(heavy),
  Vitest: () => checkVitest(heavy),
};

runCommand({
  name: 'package',
  file: __filename,
  options: { runners: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  async run({ values }) {
    if (!values.write) return checkAll(values.runners);
    writeDocument();
    return true;
  },
});

async function checkAll(withRunners: boolean): Promise<boolean> {
  for (const folder of [home, alone, heavy]) mkdirSync(folder);
  writeViews(alone);
  const tarball = pack();
  install(tarball);
  if (withRunners) installHeavy(heavy, tarball);

  const checks = Object.entries(withRunners ? { ...CHECKS, ...RUNNERS } : CHECKS);
  let failed = 0;
  for (const [name, check] of checks) {
    try {
      await check(tarball);
    } catch (err) {
      failed++;
      console.error(`✗ ${name}: ${(err as Error).message}`);
    }
  }
  console.log(`${checks.length - failed} passed, ${failed} failed`);
  return failed === 0;
}

function pack(): string {
  const printed = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', work], root);
  const packed = JSON.parse(printed);
  const { filename } = Array.isArray(packed) ? packed[0] : Object.values<{ filename: string }>(packed)[0];
  return join(work, filename);
}

/** Unpack the tarball as node_modules/express, beside its dependencies and nothing else. */
function install(tarball: string): void {
  const modules = join(home, 'node_modules');
  mkdirSync(join(modules, 'express'), { recursive: true });
  run('tar', ['-xzf', tarball, '-C', join(modules, 'express'), '--strip-components=1'], work);
  for (const { name, folder } of packagesBelow('')) {
    const target = join(modules, name);
    mkdirSync(dirname(target), { recursive: true });
    // Types are copied, so that they find what they import here.
    if (name.startsWith('@types/')) cpSync(join(root, folder), target, { recursive: true });
    else symlinkSync(join(root, folder), target, 'junction');
  }
}

function load(file: string, source: string): void {
  writeFileSync(join(home, file), source);
  const printed = run(process.execPath, [file], home).trim();
  if (printed !== 'ok') throw new Error(`wanted it to print "ok", got "${printed}"`);
}

function compile(): void {
  writeFileSync(join(home, 'typed.mts'), TYPED);
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  run(process.execPath, [tsc, ...options, 'typed.mts'], home);
}

function bin(name: string): string {
  return join(root, 'node_modules', '.bin', name);
}
