// Checks the package as users install it: creates the tarball of each Express version, runs publint and attw,
// installs it under the name `express` with its dependencies only, loads every entry point and compiles with it. It
// also bundles the package for Express 5, and runs the first steps of a new user. Finally it checks the dependencies,
// and docs/package.md, which lists them.
//
//   npm run package                before a release, and as a stage of `npm test`
//   npm run package -- --registry  only what installs from the registry: beside old versions of other packages, from a git
//                                  address, from tarballs of Yarn and Bun, and in a new project of npm, pnpm, Yarn with PnP
//                                  and Bun (five minutes); a stage of `npm test -- --all`
//   npm run package -- --runners   also webpack, Jest and Vitest, installed from the registry (about 100 MB)
//   npm run package -- --write     writes docs/package.md
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../parity/temporary-folder';
import { runCommand } from '../command';
import { checkEsbuild, checkWebpack, writeViews } from './bundles';
import { ENTRY_POINTS, TYPED } from './consumer';
import { checkDependencies, checkLockfile } from './dependencies';
import { checkDocument, writeDocument } from './document';
import { checkFirstUse } from './first-use';
import { checkLinks } from './links';
import { checkManager, MANAGERS, packCorpus } from './managers';
import { checkBunPack, checkGitInstall, checkOldVersions, checkYarnPack } from './registry';
import { run } from './run';
import { checkJest, checkVitest, installHeavy } from './runners';
import { makeTarball, SERIES, type Series } from './tarball';
import { packagesBelow, root } from './tree';

const work = temporaryFolder('package');
const alone = join(work, 'alone');
const heavy = join(work, 'heavy');

type Checks = Readonly<Record<string, () => unknown>>;

/** The checks of one version. `home` is a project with its tarball installed as `express`. */
function checksOf(series: Series, tarball: string, home: string): Checks {
  return {
    publint: () => run(bin('publint'), ['run', tarball, '--strict'], root),
    attw: () => run(bin('attw'), [tarball, '--exclude-entrypoints', 'package.json'], root),
    links: () => checkLinks(join(home, 'node_modules', 'express')),
    types: () => compile(home, TYPED[series]),
    ...Object.fromEntries(
      Object.entries(ENTRY_POINTS[series]).map(([file, source]) => [file, () => load(home, file, source)]),
    ),
  };
}

function checksOfExpress5(tarball: string, home: string): Checks {
  return {
    'first use': () => checkFirstUse(tarball, join(work, 'first-use')),
    esbuild: () => checkEsbuild(home, alone),
    dependencies: checkDependencies,
    lockfile: checkLockfile,
    document: checkDocument,
  };
}

const RUNNERS: Checks = {
  webpack: () => checkWebpack(heavy, alone),
  Jest: () => checkJest(heavy),
  Vitest: () => checkVitest(heavy),
};

runCommand({
  name: 'package',
  file: __filename,
  options: {
    registry: { type: 'boolean', default: false },
    runners: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
  async run({ values }) {
    if (values.write) {
      writeDocument();
      return true;
    }
    return tell(values.registry ? await checkRegistry() : await checkAll(values.runners));
  },
});

interface Count {
  passed: number;
  failed: number;
}

async function checkAll(withRunners: boolean): Promise<Count> {
  for (const folder of [alone, heavy]) mkdirSync(folder);
  writeViews(alone);
  const count: Count = { passed: 0, failed: 0 };
  for (const series of SERIES) {
    const home = join(work, `home-${series}`);
    const tarball = makeTarball(series, work);
    install(tarball, home);
    await perform(`${series}: `, checksOf(series, tarball, home), count);
    if (series !== '5') continue;
    await perform(`${series}: `, checksOfExpress5(tarball, home), count);
    if (!withRunners) continue;
    installHeavy(heavy, tarball);
    await perform('', RUNNERS, count);
  }
  return count;
}

async function checkRegistry(): Promise<Count> {
  const count: Count = { passed: 0, failed: 0 };
  const tarball = makeTarball('5', work);
  await perform(
    '',
    {
      'old versions': () => checkOldVersions(tarball, join(work, 'old')),
      git: () => checkGitInstall(join(work, 'git')),
      'yarn pack': () => checkYarnPack(tarball, join(work, 'yarn')),
      'bun pm pack': () => checkBunPack(tarball, join(work, 'bun')),
      ...managers(tarball),
    },
    count,
  );
  return count;
}

/** Checks a new user's project with each package manager. */
function managers(tarball: string): Checks {
  const corpus = packCorpus(join(work, 'corpus'));
  return Object.fromEntries(
    Object.keys(MANAGERS).map((name) => [
      name,
      () => checkManager(name, tarball, corpus, join(work, `project-${name.replaceAll(' ', '-')}`)),
    ]),
  );
}

async function perform(prefix: string, checks: Checks, count: Count): Promise<void> {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      count.passed++;
    } catch (err) {
      count.failed++;
      console.error(`✗ ${prefix}${name}: ${(err as Error).message}`);
    }
  }
}

function tell({ passed, failed }: Count): boolean {
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

/** Unpacks the tarball to node_modules/express, with only its dependencies beside it. */
function install(tarball: string, home: string): void {
  const modules = join(home, 'node_modules');
  mkdirSync(join(modules, 'express'), { recursive: true });
  run('tar', ['-xzf', tarball, '-C', join(modules, 'express'), '--strip-components=1'], work);
  for (const { name, folder } of packagesBelow('')) {
    const target = join(modules, name);
    mkdirSync(dirname(target), { recursive: true });
    // Types are copied, so that they resolve their imports here.
    if (name.startsWith('@types/')) cpSync(join(root, folder), target, { recursive: true });
    else symlinkSync(join(root, folder), target, 'junction');
  }
}

function load(home: string, file: string, source: string): void {
  writeFileSync(join(home, file), source);
  const printed = run(process.execPath, [file], home).trim();
  if (printed !== 'ok') throw new Error(`expected it to print "ok", got "${printed}"`);
}

function compile(home: string, source: string): void {
  writeFileSync(join(home, 'typed.mts'), source);
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  run(process.execPath, [tsc, ...options, 'typed.mts'], home);
}

function bin(name: string): string {
  return join(root, 'node_modules', '.bin', name);
}
