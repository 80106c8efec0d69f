/**
 * Replaces one package with another for the rest of the process: `require` and `import` of an entry point of the
 * first load the same entry point of the second. No file on disk changes.
 *
 * Only the file that the application resolves is replaced. A dependency with its own copy of Express keeps that copy.
 */
import { existsSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Two packages, each as an argument of `require`. */
export interface Replacement {
  /** The name in the application: `express`. */
  readonly from: string;
  /** The name in `home`: `nozomi`. */
  readonly to: string;
}

/** Members of the module loader that its types omit. */
interface Loader {
  _resolveFilename(request: string, ...rest: unknown[]): string;
}

/** Runs in the thread of the module loader and redirects `import` by URL. */
const HOOK = `
  let urls = {};
  export function initialize(given) { urls = given; }
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    const url = urls[found.url.split('?', 1)[0]];
    return url ? { ...found, url, format: url.endsWith('.mjs') ? 'module' : 'commonjs' } : found;
  }`;

/** The entry points, without the package name, that applications and their dependencies load. */
const ENTRY_POINTS = [
  ...['', '/package.json', '/lib/application', '/lib/express', '/lib/request', '/lib/response'],
  ...['/lib/utils', '/lib/view', '/lib/middleware/init', '/lib/middleware/query'],
  ...['/lib/router', '/lib/router/layer', '/lib/router/route'],
];

/**
 * @param folder The folder from which the application resolves its packages.
 * @param home The folder from which the replacing package is resolved.
 * @returns The names of the replaced packages.
 */
export function redirect(replacements: readonly Replacement[], folder: string, home: string): string[] {
  const own = createRequire(join(folder, 'noop.js'));
  const other = createRequire(join(home, 'noop.js'));
  const files = new Map<string, string>();
  const names: string[] = [];
  for (const { from, to } of replacements) {
    if (!resolveWith(own, from)) continue;
    names.push(from);
    for (const entry of ENTRY_POINTS) {
      const [file, instead] = [resolveWith(own, from + entry), findEntryPoint(other, to, entry)];
      if (file && instead) files.set(file, instead);
    }
  }

  const loader = Module as unknown as Loader;
  const resolveFilename = loader._resolveFilename;
  loader._resolveFilename = function (request, ...rest) {
    const file = Reflect.apply(resolveFilename, this, [request, ...rest]);
    return files.get(file) ?? file;
  };
  const urls = [...files].map(([file, instead]) => [toUrl(file), toUrl(toImported(instead))]);
  Module.register(`data:text/javascript,${encodeURIComponent(HOOK)}`, { data: Object.fromEntries(urls) });
  return names;
}

/** Resolves a file of a package, also if `to` is the entry point for one Express version: `nozomi/5`. */
function findEntryPoint(resolver: NodeJS.Require, to: string, entry: string): string | undefined {
  const found = resolveWith(resolver, to + entry);
  const name = /^(?:@[^/]+\/)?[^./][^/]*(?=\/)/.exec(to)?.[0];
  if (found || name === undefined) return found;
  const isMain = resolveWith(resolver, name) === resolveWith(resolver, to);
  // package.json has the version. An application of Express 3 or 4 must read its own.
  return isMain ? resolveWith(resolver, name + entry) : undefined;
}

function resolveWith(resolver: NodeJS.Require, name: string): string | undefined {
  try {
    return resolver.resolve(name);
  } catch {
    return undefined;
  }
}

/**
 * The file that `import` loads: the ES module beside the CommonJS file, if there is one. Both export the same
 * instance.
 */
function toImported(file: string): string {
  const imported = file.replace(/index\.js$/, 'index.mjs');
  return existsSync(imported) ? imported : file;
}

function toUrl(file: string): string {
  return pathToFileURL(file).href;
}
