// Checks the packages as users install them. For Express 5, 4 and 3, the script creates the tarball, runs publint and
// attw, installs the tarball as `express`, checks its links, loads every entry point and compiles an application. For
// Express 5, it also bundles an application, and checks the dependencies, package-lock.json and docs/package.md. For
// nozomi-parity, it runs the first steps of a new user. A step of `npm test -- --ci`.
//
//   npm run check -- package                the checks above
//   npm run check -- package --registry  only the checks that install from the registry; a step of `npm test -- --all`. Takes five
//                                  minutes: old versions of other packages, a git address, webpack, tarballs that Yarn and Bun
//                                  pack, `npx nozomi-parity try`, new projects with npm, pnpm, Yarn Plug'n'Play and Bun
//   npm run check -- package --write     writes docs/package.md
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';
import { type Count, runCommand } from '../command';
import { compile } from '../compiler';
import { deadLinksIn, pagesBelow } from '../links';
import { checkBudget } from './budget';
import { checkEsbuild, checkWebpack, writeViews } from './bundles';
import { ENTRY_POINTS, TYPED } from './consumer';
import { checkDependencies, checkLockfile, checkToolsDependencies } from './dependencies';
import { checkDocument, writeDocument } from './document';
import { expectOutput } from './expect';
import { checkFirstUse, installTools } from './first-use';
import { checkManager, MANAGERS, packCorpus } from './managers';
import { checkBunPack, checkGitInstall, checkOldVersions, checkTry, checkYarnPack } from './registry';
import { makeTarball, SERIES, type Series } from './tarball';
import { makeTools, TOOLS } from './tools';
import { packagesBelow, root } from './tree';
import { unpack } from './unpack';

const work = temporaryFolder('package');
const alone = join(work, 'alone');

/** Entry points without declarations, as in @types/express. attw skips those with a star by itself. */
const UNTYPED = ['package.json', 'lib/router', '3/lib/router', '4/lib/router'];

type Checks = Readonly<Record<string, () => unknown>>;

/** @param home A project with the tarball installed as `express`. @returns The checks for one version, by name. */
function checksOf(series: Series, tarball: string, home: string): Checks {
  return {
    ...checksOfTarball(tarball, join(home, 'node_modules', 'express')),
    types: () => checkTypes(home, TYPED[series]),
    ...Object.fromEntries(
      Object.entries(ENTRY_POINTS[series]).map(([file, source]) => [file, () => load(home, file, source)]),
    ),
  };
}

/** @param folder The unpacked tarball. */
function checksOfTarball(tarball: string, folder: string): Checks {
  return {
    publint: () => run(bin('publint'), ['run', tarball, '--strict'], root),
    attw: () => checkResolution(tarball),
    links: () => checkLinks(folder),
  };
}

/** @param tarball That of Nozomi for Express 5, which nozomi-parity depends on. */
function checksOfTools(tools: string, tarball: string): Checks {
  const project = join(work, 'first-use');
  const home = installTools(tools, tarball, project);
  return {
    ...checksOfTarball(tools, home),
    dependencies: checkToolsDependencies,
    'first use': () => checkFirstUse(project),
  };
}

function checksOfExpress5(home: string): Checks {
  const folder = join(home, 'node_modules', 'express');
  return {
    esbuild: () => checkEsbuild(home, alone),
    dependencies: checkDependencies,
    lockfile: checkLockfile,
    budget: () => checkBudget(folder),
    document: () => checkDocument(folder),
  };
}

runCommand({
  options: {
    registry: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
  async run({ values }) {
    if (values.write) {
      install(makeTarball('5', work), work);
      writeDocument(join(work, 'node_modules', 'express'));
      return true;
    }
    return values.registry ? checkRegistry() : checkAll();
  },
});

async function checkAll(): Promise<Count> {
  writeViews(alone);
  const count = { passed: 0, failed: 0 };
  for (const series of SERIES) {
    const home = join(work, `home-${series}`);
    const tarball = makeTarball(series, work);
    install(tarball, home);
    await perform(`${series}: `, checksOf(series, tarball, home), count);
    if (series !== '5') continue;
    await perform(`${series}: `, checksOfExpress5(home), count);
    await perform(`${TOOLS.name}: `, checksOfTools(makeTools(work), tarball), count);
  }
  return count;
}

async function checkRegistry(): Promise<Count> {
  const [tarball, tools] = [makeTarball('5', work), makeTools(work)];
  writeViews(alone);
  return perform('', {
    'old versions': () => checkOldVersions(tarball, join(work, 'old')),
    webpack: () => checkWebpack(tarball, join(work, 'webpack'), alone),
    git: () => checkGitInstall(join(work, 'git')),
    'yarn pack': () => checkYarnPack(tarball, join(work, 'yarn')),
    'bun pm pack': () => checkBunPack(tarball, join(work, 'bun')),
    try: () => checkTry([tools, tarball], join(work, 'try')),
    ...managers(tarball, tools),
  });
}

/** @returns One check for each package manager, which installs and uses the package in a new project. */
function managers(tarball: string, tools: string): Checks {
  const packages = {
    nozomi: tarball,
    'nozomi-parity': tools,
    'nozomi-corpus': packCorpus(join(work, 'corpus')),
  };
  return Object.fromEntries(
    Object.keys(MANAGERS).map((name) => [
      name,
      () => checkManager(name, packages, join(work, `project-${name.replaceAll(' ', '-')}`)),
    ]),
  );
}

/** @throws Error that lists each entry point that TypeScript resolves to other modules than Node.js or a bundler. */
async function checkResolution(tarball: string): Promise<void> {
  const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)), {
    excludeEntrypoints: UNTYPED,
  });
  if (!analysis.types) throw new Error('the package has no types');
  if (analysis.problems.length > 0) throw new Error(JSON.stringify(analysis.problems, undefined, 2));
}

/** @throws Error that lists each dead link of the pages in a folder. */
function checkLinks(folder: string): void {
  const dead = deadLinksIn(folder, pagesBelow(folder, '.md'));
  if (dead.length > 0) throw new Error(`${dead.length} links have no target:\n${dead.join('\n')}`);
}

async function perform(prefix: string, checks: Checks, count = { passed: 0, failed: 0 }): Promise<Count> {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check();
      count.passed++;
    } catch (err) {
      count.failed++;
      console.error(`✗ ${prefix}${name}: ${(err as Error).message}`);
    }
  }
  return count;
}

/** Unpacks the tarball to node_modules/express, next to its dependencies and no other package. */
function install(tarball: string, home: string): void {
  const modules = join(home, 'node_modules');
  unpack(tarball, join(modules, 'express'));
  for (const { name, folder } of packagesBelow('')) {
    const target = join(modules, name);
    mkdirSync(dirname(target), { recursive: true });
    // Copy types instead of linking them, so that they import other packages from this folder.
    if (name.startsWith('@types/')) cpSync(join(root, folder), target, { recursive: true });
    else symlinkSync(join(root, folder), target, 'junction');
  }
}

function load(home: string, file: string, source: string): void {
  writeFileSync(join(home, file), source);
  expectOutput([process.execPath, file], home, 'ok');
}

async function checkTypes(home: string, source: string): Promise<void> {
  writeFileSync(join(home, 'typed.mts'), source);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  const errors = await compile('typescript', home, [...options, 'typed.mts']);
  if (errors) throw new Error(errors);
}

function bin(name: string): string {
  return join(root, 'node_modules', '.bin', name);
}
