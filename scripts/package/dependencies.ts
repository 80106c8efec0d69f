/**
 * Checks that package.json lists exactly the packages that the sources load, and no scripts that run at installation.
 * Applications install the packages of the 3.x middleware themselves: these are optional peer dependencies, which one
 * folder loads.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { packagesBelow, root } from './tree';

// Matches `import … from 'x'`, `require('x')` and `import('x')`; a relative path is no package.
const IMPORT = /(?:\bfrom |\bimport |\brequire\(|\bimport\()["']([^."'][^"']*)["']/g;

/** Files that may load optional peer dependencies. */
const PEERS_HOME = join('build', 'express3', 'middleware');

/** @throws {Error} that names each missing or unneeded dependency. */
export function checkDependencies(): void {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { name: own, dependencies, peerDependencies, peerDependenciesMeta } = manifest;
  const peers = Object.keys(peerDependencies);
  const listed = new Set<string>([...Object.keys(dependencies), ...peers]);
  const run = importsOf('dist', /\.m?js$/);
  const typed = importsOf('dist', /\.d\.m?ts$/);
  // The harness imports this package by its name.
  for (const names of [run, typed]) names.delete(own);
  const needed = new Set([...run, ...[...typed].map(typesOf)]);

  const forced = peers.filter((name) => !peerDependenciesMeta[name]?.optional);
  if (forced.length > 0) throw new Error(`peer dependencies that are not optional: ${forced.join(', ')}`);
  const elsewhere = importsOf('build', /\.m?js$/, PEERS_HOME);
  const loaded = peers.filter((name) => elsewhere.has(name));
  if (loaded.length > 0)
    throw new Error(`peer dependencies loaded outside of ${PEERS_HOME}: ${loaded.join(', ')}`);
  const missing = [...needed].filter((name) => !listed.has(name));
  if (missing.length > 0) throw new Error(`imported, but not a dependency: ${missing.join(', ')}`);
  const idle = [...listed].filter((name) => !needed.has(name));
  if (idle.length > 0) throw new Error(`dependencies that no file imports: ${idle.join(', ')}`);
  const scripted = packagesBelow('').filter(({ hasInstallScript }) => hasInstallScript);
  if (scripted.length > 0)
    throw new Error(
      `dependencies with scripts that run at installation: ${scripted.map(({ name }) => name)}`,
    );
}

/**
 * npm omits an optional dependency that it cannot fetch, and then `npm ci` fails on a fresh clone.
 *
 * @throws {Error} for an optional dependency that is missing in package-lock.json.
 */
export function checkLockfile(): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies }]) =>
    Object.keys(optionalDependencies ?? {}).filter(
      (name) => !packages[`node_modules/${name}`] && !packages[`${folder}/node_modules/${name}`],
    ),
  );
  if (missing.length > 0) throw new Error(`not in package-lock.json, so npm ci fails: ${missing.join(', ')}`);
}

/** The name of the package with the types of another one. */
function typesOf(name: string): string {
  return name.startsWith('@types/') ? name : `@types/${name}`;
}

function importsOf(folder: string, files: RegExp, except?: string): Set<string> {
  const names = new Set<string>();
  for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    if (!files.test(entry) || (except && join(folder, entry).startsWith(except))) continue;
    const source = readFileSync(join(root, folder, entry), 'utf8');
    for (const [, specifier = ''] of source.matchAll(IMPORT)) {
      const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
      if (!name.startsWith('node:') && !builtinModules.includes(name)) names.add(name);
    }
  }
  return names;
}
