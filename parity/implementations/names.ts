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
  ROOT,
} from './implementations';
import type { Implementation } from './protocol';

/** The entry points of this package. */
const OWN: readonly Implementation[] = [BUILD, EXPRESS4_BUILD, EXPRESS3_BUILD];
const PACKAGE = 'nozomi';

interface Installed {
  readonly folder: string;
  readonly version: string;
}

/**
 * An implementation by its name (`reference`, `build` …), or by its framework and perhaps its logger: `express@4.21.2`,
 * `../express`, `express@5.2+morgan@1.10.0`, `express+nozomi/logger`. A partial version selects the highest version that begins
 * with it. The package may be installed under another name. A path into a build of this package selects an entry point
 * of that build: `../nozomi/dist/express4` is its `nozomi/4`.
 *
 * @throws TypeError for anything else; lists the known names.
 */
export function implementationNamed(name: string): Implementation {
  const known = IMPLEMENTATIONS.find((implementation) => implementation.name === name);
  if (known) return known;
  const [framework, logger, ...more] = name.split('+').map(moduleNamed);
  if (!framework || logger === '' || more.length > 0) fail(name);
  // Only a known implementation has entry points for Express 3 and 4.
  const { express3: _express3, express4: _express4, ...kind } = kindOf(framework, name);
  const made = { ...kind, name, ...(logger === undefined ? {} : { logger }) };
  return majorOf(made) === '4' ? playsScenariosOf4(made) : made;
}

/** The major version of Express whose interface an implementation has. */
export function majorOf({ series, framework }: Implementation): string {
  return (series ?? manifestOf(framework).version).split('.', 1)[0] as string;
}

/** The same implementation, marked to play the scenarios of Express 4. */
export function playsScenariosOf4(implementation: Implementation): Implementation {
  return { ...implementation, express4: { ...implementation, series: '4.x' } };
}

/** The argument of `require`. */
function moduleNamed(name: string): string {
  if (name.startsWith('.')) return resolve(name);
  const ownSeries = /^nozomi@([345])$/.exec(name)?.[1];
  if (ownSeries) return `nozomi/${ownSeries}`;
  const [, asked, version] = /^((?:@[^@/]+\/)?[^@/]+)@([\d.]+.*)$/.exec(name) ?? [];
  return asked === undefined || version === undefined ? name : findVersion(asked, version);
}

function kindOf(framework: string, name: string): Implementation {
  const known = IMPLEMENTATIONS.find((implementation) => implementation.framework === framework);
  if (known) return known;
  try {
    const { name: packaged, version, folder } = manifestOf(framework);
    if (packaged === PACKAGE) return entryPointOf(framework, folder);
    // Express 4 plays most scenarios of Express 5, so other versions play those.
    return { ...(version.startsWith('3.') ? EXPRESS3_REFERENCE : REFERENCE), framework };
  } catch (error) {
    // A word without a dot or a slash is the name of an implementation.
    if (!isAbsolute(framework) && /^\w+$/.test(name)) fail(name);
    // Without the list of modules of this package that required it.
    const [message = ''] = (error as Error).message.split('\n', 1);
    throw new TypeError(`implementation "${name}": ${message}`);
  }
}

/**
 * An entry point of a build of this package, with the logger of that build. Another file of it, such as a wrapper, has
 * the interface of Express 5.
 *
 * @param folder The root of the package.
 */
function entryPointOf(framework: string, folder: string): Implementation {
  const file = require.resolve(framework, { paths: [ROOT] });
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

/** The folder of an installed package with this version, in any node_modules and under any name. */
function findVersion(name: string, version: string): string {
  const all = ancestorsOf(ROOT).flatMap((folder) => [...installed(join(folder, 'node_modules'), name)]);
  const fitting = all.filter((one) => one.version === version || one.version.startsWith(`${version}.`));
  const [best] = fitting.sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
  if (best) return best.folder;
  const there = all.map((one) => `${one.version} (${relative(ROOT, one.folder)})`).join(', ') || 'none';
  const [major] = version.split('.');
  throw new TypeError(
    `implementation: no ${name} ${version} is installed, only ${there}; npm install --save-dev ${name}-${major}@npm:${name}@${version}`,
  );
}

/** A folder and its parents, in which Node.js searches for packages. */
function ancestorsOf(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestorsOf(above)];
}

/** Every installed copy of a package, also nested and aliased ones. */
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
