/**
 * Checks the dependencies of both packages. The packages that only Express 3's middleware loads are dependencies of the
 * application.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { TOOLS, TOOLS_FOLDER } from './tools';
import { packagesBelow, root } from './tree';

// Matches `import … from 'x'`, `require('x')` and `import('x')`, but not relative paths.
const IMPORT = /(?:\bfrom |\bimport |\brequire\(|\bimport\()["']([^."'][^"']*)["']/g;

/** The only folder whose files may load packages that are no dependencies. */
const OPTIONAL_HOME = join('build', 'express3', 'middleware');

/**
 * Checks that package.json lists exactly the packages that dist/ imports, with those of its types, that there are no peer
 * dependencies, and that no dependency runs a script when installed.
 *
 * @throws {Error} that names the wrong dependencies.
 */
export function checkDependencies(): void {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const run = importsOf('dist', /\.m?js$/, TOOLS_FOLDER);
  const typed = importsOf('dist', /\.d\.m?ts$/, TOOLS_FOLDER);
  const elsewhere = importsOf('build', /\.m?js$/, OPTIONAL_HOME);
  const optional = [...importsOf(OPTIONAL_HOME, /\.js$/)].filter((name) => !elsewhere.has(name));
  const needed = [...run].filter((name) => !optional.includes(name));
  compare('package.json', Object.keys(manifest.dependencies), [...needed, ...[...typed].map(typesOf)]);

  if (manifest.peerDependencies)
    throw new Error(
      'package.json: with peer dependencies, pnpm, Yarn and Bun install several copies of Nozomi',
    );
  const scripted = packagesBelow('').filter(({ hasInstallScript }) => hasInstallScript);
  if (scripted.length > 0)
    throw new Error(
      `dependencies must not run scripts when they are installed: ${scripted.map(({ name }) => name)}`,
    );
}

/** Checks that the manifest of nozomi-parity lists exactly the packages that dist/parity/ imports. */
export function checkToolsDependencies(): void {
  const needed = importsOf(TOOLS_FOLDER, /\.(js|d\.ts)$/);
  // The text of --help shows how to import the package.
  needed.delete(TOOLS.name);
  compare(TOOLS.name, Object.keys({ ...TOOLS.dependencies, ...TOOLS.peerDependencies }), needed);
}

function compare(what: string, listed: readonly string[], needed: Iterable<string>): void {
  const imported = new Set(needed);
  const missing = [...imported].filter((name) => !listed.includes(name));
  if (missing.length > 0)
    throw new Error(`${what}: the build imports packages that are not dependencies: ${missing.join(', ')}`);
  const idle = listed.filter((name) => !imported.has(name));
  if (idle.length > 0)
    throw new Error(`${what}: remove dependencies that the build does not import: ${idle.join(', ')}`);
}

/**
 * Checks that package-lock.json contains all optional dependencies. npm omits those that it cannot download, and then
 * `npm ci` fails on a fresh clone.
 *
 * @throws {Error} that names the missing dependencies.
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
  if (missing.length > 0)
    throw new Error(`package-lock.json lacks optional dependencies, so npm ci fails: ${missing.join(', ')}`);
}

/** @returns The name of the package that contains the types of another one: `express` → `@types/express`. */
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
