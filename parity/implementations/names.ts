/**
 * Parses the values of `--baseline` and `--candidate`: a known implementation, a package with or without its version,
 * or a path.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import {
  BUILD,
  EXPRESS3_BUILD,
  EXPRESS3_REFERENCE,
  EXPRESS4_BUILD,
  IMPLEMENTATIONS,
  manifestOf,
  REFERENCE,
  resolveModule,
} from './implementations';
import { ROOT } from './project';
import type { Implementation } from './protocol';

/** The entry points of Nozomi. */
const OWN: readonly Implementation[] = [BUILD, EXPRESS4_BUILD, EXPRESS3_BUILD];
const PACKAGE = 'nozomi';

interface Installed {
  readonly folder: string;
  readonly version: string;
}

/**
 * Finds an implementation by its name (`reference`, `build` …), or by its framework and optional logger:
 *
 * - `express@4.21.2`: an installed version, also under an alias; `express@4` is the highest installed 4.x
 * - `../express`: a path; `../nozomi/dist/express4` is the entry point `nozomi/4` of that build
 * - `express@5.2+morgan@1.10.0`, `express+nozomi/logger`: framework and logger
 *
 * @throws TypeError for any other name. The message lists the known names or the installed versions.
 */
export function implementationNamed(name: string): Implementation {
  const known = IMPLEMENTATIONS.find((implementation) => implementation.name === name);
  if (known) return known;
  const [framework, logger, ...more] = name.split('+').map(moduleNamed);
  if (!framework || logger === '' || more.length > 0) fail(name);
  // Omit the entry points for Express 3 and 4: they belong to the known implementation, not to this version.
  const { express3: _express3, express4: _express4, ...kind } = kindOf(framework, name);
  const made = { ...kind, name, ...(logger === undefined ? {} : { logger }) };
  return majorOf(made) === '4' ? playsScenariosOf4(made) : made;
}

/** Returns the major version of Express whose interface an implementation has: `3`, `4` or `5`. */
export function majorOf({ series, framework }: Implementation): string {
  return (series ?? manifestOf(framework).version).split('.', 1)[0] as string;
}

/** Returns a copy of an implementation that also plays the scenarios of Express 4. */
export function playsScenariosOf4(implementation: Implementation): Implementation {
  return { ...implementation, express4: { ...implementation, series: '4.x' } };
}

/** Converts a name to an argument of `require`: `nozomi@4` to `nozomi/4`, `express@4` to a folder. */
function moduleNamed(name: string): string {
  if (name.startsWith('.')) return resolve(name);
  const ownSeries = /^nozomi@([345])$/.exec(name)?.[1];
  if (ownSeries) return `nozomi/${ownSeries}`;
  const [, packageName, version] = /^((?:@[^@/]+\/)?[^@/]+)@([\d.]+.*)$/.exec(name) ?? [];
  return packageName === undefined || version === undefined ? name : findVersion(packageName, version);
}

function kindOf(framework: string, name: string): Implementation {
  const known = IMPLEMENTATIONS.find((implementation) => implementation.framework === framework);
  if (known) return known;
  try {
    const { name: packaged, version, folder } = manifestOf(framework);
    if (packaged === PACKAGE) return entryPointOf(framework, folder);
    // Express 4 can play most scenarios of Express 5, so all versions but 3.x play those.
    return { ...(version.startsWith('3.') ? EXPRESS3_REFERENCE : REFERENCE), framework };
  } catch (error) {
    // A word without a dot or a slash was probably meant as the name of a known implementation.
    if (!isAbsolute(framework) && /^\w+$/.test(name)) fail(name);
    // Keep the first line: Node.js adds the files of this package that required the module.
    const [message = ''] = (error as Error).message.split('\n', 1);
    throw new TypeError(`implementation "${name}": ${message}`);
  }
}

/**
 * Describes an entry point of a build of Nozomi, with the logger of that build. Any other file, such as a wrapper,
 * counts as Express 5.
 *
 * @param folder The root of the package.
 */
function entryPointOf(framework: string, folder: string): Implementation {
  const file = resolveModule(framework);
  const resolver = createRequire(join(folder, 'noop.js'));
  const fileOf = (module: string): string | undefined => {
    try {
      return resolver.resolve(module);
    } catch {
      return undefined;
    }
  };
  const entry = OWN.find((one) => fileOf(one.framework) === file);
  if (!entry) return { ...BUILD, framework };
  const isThisBuild = file === require.resolve(entry.framework);
  return isThisBuild ? entry : { ...entry, framework: file, logger: fileOf(entry.logger) ?? entry.logger };
}

function fail(name: string): never {
  const names = IMPLEMENTATIONS.map((implementation) => implementation.name).join(', ');
  throw new TypeError(
    `implementation: expected ${names}, <package>@<version>, a path or <framework>+<logger>, got "${name}"`,
  );
}

/**
 * Finds the folder of an installed package by version, in any node_modules and under any alias.
 *
 * @param version A whole version or its beginning: `4` selects the highest 4.x.
 * @throws TypeError if it is not installed. The message lists the installed versions.
 */
function findVersion(name: string, version: string): string {
  const all = ancestorsOf(ROOT).flatMap((folder) => [...installed(join(folder, 'node_modules'), name)]);
  const fitting = all.filter((one) => one.version === version || one.version.startsWith(`${version}.`));
  const [best] = fitting.sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
  if (best) return best.folder;
  const there = all.map((one) => `${one.version} (${relative(ROOT, one.folder)})`).join(', ') || 'none';
  const [major] = version.split('.');
  throw new TypeError(
    `implementation: ${name} ${version} is not installed, only ${there}; npm install --save-dev ${name}-${major}@npm:${name}@${version}`,
  );
}

/** Returns a folder and its parents, because Node.js searches the node_modules of each. */
function ancestorsOf(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestorsOf(above)];
}

/** Finds every installed copy of a package below a node_modules folder, also nested and aliased copies. */
function* installed(modules: string, name: string): Generator<Installed> {
  if (!existsSync(modules)) return;
  for (const entry of readdirSync(modules)) {
    if (entry.startsWith('.')) continue;
    const folder = join(modules, entry);
    if (entry.startsWith('@')) {
      yield* installed(folder, name);
      continue;
    }
    const manifest = join(folder, 'package.json');
    const { name: own, version } = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {};
    if (own === name) yield { folder, version };
    yield* installed(join(folder, 'node_modules'), name);
  }
}
