/**
 * Replaces a package with another one for the rest of the process, for `require` and `import`. No file on disk changes.
 *
 * It replaces only the copy that the application loads. A dependency with its own copy of Express keeps that copy.
 */
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { interceptResolving } from '../modules';

/** A package and its replacement, each as an argument of `require`. */
export interface Replacement {
  /** What the application loads: `express`. */
  readonly from: string;
  /** What the application gets instead: a name such as `nozomi/5`, or a path. */
  readonly to: string;
}

/**
 * Module hooks that redirect `import` by URL, and tell the application that it is the main module. They are source text,
 * because Node.js runs them in another thread.
 */
const HOOK = `
  let urls = {};
  let main;
  let wrappers = new Set();
  export function initialize(given) {
    urls = given.urls;
    main = given.main;
    wrappers = new Set(Object.values(urls));
  }
  export async function load(url, context, next) {
    const loaded = await next(url, context);
    if (url !== main || !loaded.source) return loaded;
    const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
    return { ...loaded, source: source.replaceAll('import.meta.main', 'true') };
  }
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    const url = urls[found.url.split('?', 1)[0]];
    return url && !wrappers.has(context.parentURL) ? { ...found, url, format: 'commonjs' } : found;
  }`;

/** The files of Express that applications and their dependencies load, without the package name. */
// biome-ignore format: a table
const ENTRY_POINTS = [
  '', '/package.json', '/lib/application', '/lib/express', '/lib/request', '/lib/response',
  '/lib/utils', '/lib/view', '/lib/middleware/init', '/lib/middleware/query',
  '/lib/router', '/lib/router/layer', '/lib/router/route',
];

/** Whether Node.js defines `import.meta.main`, as versions from 24.2 do. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const HAS_MAIN = major > 24 || (major === 24 && minor >= 2);

/** The main file of a copy of Express, or of an entry point of Nozomi. */
const COPY = /[\\/]node_modules[\\/](?:express|nozomi)(?:[\\/]dist(?:[\\/]express[34])?)?[\\/]index\.js$/;

/**
 * Redirects `require` and `import` of packages to their replacements. Packages that the application lacks are skipped.
 *
 * @param folder The folder from which the application resolves its packages.
 * @param home The folder from which the replacements are resolved.
 * @param main The file of the application.
 * @returns The names of the replaced packages.
 */
export function redirect(
  replacements: readonly Replacement[],
  folder: string,
  home: string,
  main: string,
): string[] {
  const own = createRequire(join(folder, 'noop.js'));
  const other = createRequire(join(home, 'noop.js'));
  const files = new Map<string, string>();
  const names: string[] = [];
  for (const { from, to } of replacements) {
    if (!resolveWith(own, from)) continue;
    names.push(from);
    for (const entry of ENTRY_POINTS) {
      const [file, instead] = [resolveWith(own, from + entry), findEntryPoint(other, to, entry)];
      if (file && instead && file !== instead) files.set(file, instead);
    }
  }

  // A replacement that wraps a replaced package must get that package, not itself.
  const wrappers = new Set(files.values());
  interceptResolving((next, _request, parent) => {
    const file = next();
    return wrappers.has(parent?.filename ?? '') ? file : (files.get(file) ?? file);
  });
  const urls = [...files].map(([file, instead]) => [toUrl(file), toUrl(instead)]);
  Module.register(`data:text/javascript,${encodeURIComponent(HOOK)}`, {
    data: { urls: Object.fromEntries(urls), ...(HAS_MAIN && { main: toUrl(main) }) },
  });
  return names;
}

/**
 * Finds the folders of the frameworks that were loaded but not replaced, and whether a replaced one was loaded.
 *
 * @param names What `redirect` replaced. Express always counts as replaced, because the baseline may be that Express.
 */
export function otherCopies(
  application: string,
  names: readonly string[],
): { copies: string[]; isOwnLoaded: boolean } {
  const resolver = createRequire(application);
  const filesOf = (modules: readonly string[]): Set<string | undefined> =>
    new Set(modules.map((module) => resolveWith(resolver, module)));
  const [own, entries] = [filesOf(['express', ...names]), filesOf(['nozomi/3', 'nozomi/4', 'nozomi/5'])];
  const loaded = Object.keys(require.cache);
  const copies = loaded.filter((file) => !own.has(file) && (entries.has(file) || COPY.test(file)));
  return { copies: copies.map(dirname), isOwnLoaded: loaded.some((file) => own.has(file)) };
}

/**
 * Resolves a file of a replacement, such as `/package.json`; undefined if there is none. `nozomi/5` has no such files, so
 * those of `nozomi` are used.
 */
function findEntryPoint(resolver: NodeJS.Require, to: string, entry: string): string | undefined {
  const found = resolveWith(resolver, to + entry);
  const name = /^(?:@[^/]+\/)?[^./][^/]*(?=\/)/.exec(to)?.[0];
  if (found || name === undefined) return found;
  const isMain = resolveWith(resolver, name) === resolveWith(resolver, to);
  // Skip this for `nozomi/4`: an application that reads package.json must find the version of its Express 4.
  return isMain ? resolveWith(resolver, name + entry) : undefined;
}

function resolveWith(resolver: NodeJS.Require, name: string): string | undefined {
  try {
    return resolver.resolve(name);
  } catch {
    return undefined;
  }
}

function toUrl(file: string): string {
  return pathToFileURL(file).href;
}
