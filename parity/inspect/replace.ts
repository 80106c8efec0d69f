/**
 * Makes the application and its dependencies load Nozomi instead of every copy of Express 4 and 5, and records
 * which file loads which package. No file on disk changes.
 *
 * `nozomi-parity` replaces only the application's own copy. The tree, however, needs the routers of all copies.
 */
import { existsSync, readFileSync } from 'node:fs';
import Module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { interceptResolving } from '../modules';
import { isOwn, OWN_ROOT } from './sites';

/** A package that a file loads with `require` or `import`. */
export interface Requirement {
  /** The package name as written in the file, without a subpath: `qs`, `@scope/name`. */
  readonly name: string;
  /** The file that loads the package. */
  readonly from: string;
  /** The folder in which Node.js found the package. */
  readonly folder: string;
}

/** A copy of Express or of Nozomi. */
export interface Copy {
  readonly folder: string;
  readonly version: string;
  /** The files that load the copy, each with the package name that it uses. */
  readonly users: Map<string, string>;
}

export interface Loaded {
  readonly requirements: readonly Requirement[];
  readonly copies: ReadonlyMap<string, Copy>;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
}

/** The source of the `import` hook. Node.js runs the hook in another thread, so the hook gets its settings as data. */
const HOOK = `
  import { existsSync, readFileSync } from 'node:fs';
  let given;
  const manifests = new Map();
  export function initialize(data) { given = data; }
  function manifestIn(folder) {
    if (!manifests.has(folder)) {
      try { manifests.set(folder, JSON.parse(readFileSync(new URL('package.json', folder + '/'), 'utf8'))); }
      catch { manifests.set(folder, {}); }
    }
    return manifests.get(folder);
  }
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    const address = found.url.split('?', 1)[0];
    given.port.postMessage([specifier, context.parentURL, address]);
    const folder = /^file:.*[/]node_modules[/](?:@[^/]+[/])?[^/]+(?=[/])/.exec(address)?.[0];
    if (!folder || address.startsWith(given.own + '/dist/')) return found;
    const { name, version = '' } = manifestIn(folder);
    let url;
    if (name === 'express' && address === folder + '/index.js') url = given.entryPoints[version.split('.')[0]];
    if (name === 'nozomi' && folder !== given.own) url = given.own + address.slice(folder.length);
    if (!url || !existsSync(new URL(url))) return found;
    return { ...found, url, format: 'commonjs' };
  }`;

const PACKAGE = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/](.*)$/;
const NAME = /^(?![./]|node:|[a-zA-Z]:[\\/])(?:@[^/]+\/)?[^/]+/;

/**
 * Redirects Express 4 and 5, and other copies of Nozomi, to the one that this package depends on, in all modules that are loaded after this
 * call. Express 3 is not redirected.
 *
 * @returns Which file loads which package, and the copies found. Both grow as modules are loaded.
 */
export function replaceFramework(): Loaded {
  const requirements = new Map<string, Requirement>();
  const copies = new Map<string, Copy>();
  const note = (request: string, from: string | undefined, file: string): void => {
    const name = NAME.exec(request)?.[0];
    const folder = folderOf(file);
    if (name === undefined || from === undefined || folder === undefined || isOwn(from)) return;
    requirements.set(`${name}\n${from}`, { name, from, folder });
    const { name: packaged, version = '' } = manifestIn(folder);
    if ((packaged !== 'express' && packaged !== 'nozomi') || file.endsWith('package.json')) return;
    const copy = copies.get(folder) ?? { folder, version, users: new Map() };
    copy.users.set(from, name);
    copies.set(folder, copy);
  };

  interceptResolving((next, request, parent) => {
    const file = next();
    note(request, parent?.filename ?? undefined, file);
    return insteadOf(file) ?? file;
  });
  const { port1, port2 } = new MessageChannel();
  port1.on('message', ([specifier, parent, url]: [string, string | undefined, string]) => {
    if (parent?.startsWith('file:') && url.startsWith('file:'))
      note(specifier, fileURLToPath(parent), fileURLToPath(url));
  });
  port1.unref();
  Module.register(`data:text/javascript,${encodeURIComponent(HOOK)}`, {
    data: {
      port: port2,
      own: pathToFileURL(OWN_ROOT).href,
      entryPoints: { 4: urlOf('express4/index.js'), 5: urlOf('index.js') },
    },
    transferList: [port2],
  });
  return {
    get requirements() {
      return [...requirements.values()];
    },
    copies,
  };
}

const manifests = new Map<string, Manifest>();

export function manifestIn(folder: string): Manifest {
  let known = manifests.get(folder);
  if (!known) {
    const file = join(folder, 'package.json');
    known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
    manifests.set(folder, known);
  }
  return known;
}

/** The folder of the package in `node_modules` that contains a file; undefined for other files. */
export function folderOf(file: string): string | undefined {
  return PACKAGE.exec(file)?.[1];
}

/** The file of Nozomi that replaces a file of Express or of another copy of Nozomi; undefined for other files. */
function insteadOf(file: string): string | undefined {
  const [, folder, path = ''] = PACKAGE.exec(file) ?? [];
  if (folder === undefined || folder === OWN_ROOT || isOwn(file) || path === 'package.json') return undefined;
  const { name, version = '' } = manifestIn(folder);
  const isExpress = name === 'express' && /^[45]\./.test(version);
  if (!isExpress && name !== 'nozomi') return undefined;
  const instead = join(OWN_ROOT, isExpress ? folderFor(version, path) : '', path);
  return existsSync(instead) ? instead : undefined;
}

/** The folder of Nozomi with the files for a version of Express. Those of `lib/` for Express 5 are in the root. */
function folderFor(version: string, path: string): string {
  if (version.startsWith('4.')) return join('dist', 'express4');
  return path === 'index.js' ? 'dist' : '';
}

function urlOf(path: string): string {
  return pathToFileURL(join(OWN_ROOT, 'dist', path)).href;
}
