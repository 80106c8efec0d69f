/**
 * Puts one package in the place of another for the rest of a process: whatever `require` and `import` resolve
 * to a door of the first is answered with the same door of the second. Nothing is edited on disk.
 *
 * It goes by the resolved file, not by the name: a dependency that brings an Express of its own keeps it.
 */
import { existsSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Two packages, by the module that `require` is given. */
export interface Replacement {
  /** As the application names it: `express`. */
  readonly from: string;
  /** As `home` names it: `nozomi`. */
  readonly to: string;
}

/** What of the module loader is not in its types. */
interface Loader {
  _resolveFilename(request: string, ...rest: unknown[]): string;
}

/** Runs in the thread of the module loader: `import` is redirected by address. */
const HOOK = `
  let doors = {};
  export function initialize(given) { doors = given; }
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    const url = doors[found.url.split('?', 1)[0]];
    return url ? { ...found, url, format: url.endsWith('.mjs') ? 'module' : 'commonjs' } : found;
  }`;

/** Doors beside the main one: programs read the version, and reach for files below `lib`. */
const DOORS = [
  ...['', '/package.json', '/lib/application', '/lib/express', '/lib/request', '/lib/response'],
  ...['/lib/utils', '/lib/view'],
];

/**
 * @param folder Where the application looks for its packages.
 * @param home Where the replacing package is found.
 * @returns The names of those that were there to replace.
 */
export function redirect(replacements: readonly Replacement[], folder: string, home: string): string[] {
  const own = createRequire(join(folder, 'noop.js'));
  const other = createRequire(join(home, 'noop.js'));
  const files = new Map<string, string>();
  const names: string[] = [];
  for (const { from, to } of replacements) {
    if (!resolveWith(own, from)) continue;
    names.push(from);
    for (const door of DOORS) {
      const [file, instead] = [resolveWith(own, from + door), findDoor(other, to, door)];
      if (file && instead) files.set(file, instead);
    }
  }

  const loader = Module as unknown as Loader;
  const resolveFilename = loader._resolveFilename;
  loader._resolveFilename = function (request, ...rest) {
    const file = Reflect.apply(resolveFilename, this, [request, ...rest]);
    return files.get(file) ?? file;
  };
  const doors = [...files].map(([file, instead]) => [toUrl(file), toUrl(toImported(instead))]);
  Module.register(`data:text/javascript,${encodeURIComponent(HOOK)}`, { data: Object.fromEntries(doors) });
  return names;
}

/** The files of a package stand below its name, those of its entry point for one series too: `nozomi/5`. */
function findDoor(resolver: NodeJS.Require, to: string, door: string): string | undefined {
  const found = resolveWith(resolver, to + door);
  const name = /^(?:@[^/]+\/)?[^./][^/]*(?=\/)/.exec(to)?.[0];
  if (found || name === undefined) return found;
  const isMain = resolveWith(resolver, name) === resolveWith(resolver, to);
  return isMain || door === '/package.json' ? resolveWith(resolver, name + door) : undefined;
}

function resolveWith(resolver: NodeJS.Require, name: string): string | undefined {
  try {
    return resolver.resolve(name);
  } catch {
    return undefined;
  }
}

/** Where there is a door for ES modules, it stands beside the one for CommonJS and hands out the same instance. */
function toImported(file: string): string {
  const imported = file.replace(/index\.js$/, 'index.mjs');
  return existsSync(imported) ? imported : file;
}

function toUrl(file: string): string {
  return pathToFileURL(file).href;
}
