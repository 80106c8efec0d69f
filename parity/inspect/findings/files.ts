/**
 * Finds mistakes with files: static files in dot folders, `res.sendFile` below a dot folder, and guards before static
 * files.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { get as getPlain } from 'node:http';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type * as t from '@babel/types';
import { connectTo } from '../../client/connect';
import { type HttpServer, serversOf } from '../../implementations/load';
import type { ServerPlace } from '../../implementations/protocol';
import { insertAfterCreation, insertAt, insertBefore, replaceNode, rootOf } from '../changes';
import { shapesOf } from '../cover';
import { nameOfFile, shown } from '../format';
import { sourceOf } from '../handlers';
import type { LiveApplication } from '../live';
import type { Change, Finding, Site } from '../model';
import type { StaticFiles } from '../registrations';
import { manifestIn } from '../replace';
import type { ParsedFile, Sources } from '../sources';
import { type LiveNode, walkTree } from '../tree';
import { CODES } from './codes';
import { precedingOf } from './functions';

/** A call of `express.static`, and the node of its middleware in the tree. */
interface Served {
  readonly node: LiveNode;
  readonly files: StaticFiles;
}

function servedIn({ roots, registrations }: LiveApplication): Served[] {
  return roots.flatMap((root) =>
    [...walkTree(root)].flatMap((node) => {
      const files = registrations.statics.get(node.layer?.handle);
      return files ? [{ node, files }] : [];
    }),
  );
}

export function findDotFolders(application: LiveApplication): Finding[] {
  const { sources } = application;
  return servedIn(application).flatMap(({ node, files: { root, options, site } }) => {
    if (options.dotfiles !== undefined || options.hidden !== undefined) return [];
    return dotFoldersIn(root).flatMap((name): Finding[] => {
      const folder = nameOfFile(join(resolve(root), name));
      if (node.series === '4.x')
        return name === '.well-known'
          ? []
          : [
              {
                code: CODES.dotFolderSent.code,
                severity: 'warning',
                message: `every client can read ${folder}: Express 4 ignores files that begin with a dot, but not files in such a folder`,
                site: site ?? node.site,
                change: ignoreDotFiles(sources, site),
              },
            ];
      // Express 5 rightly hides other dot folders, such as `.git`.
      if (name !== '.well-known' || isServedSeparately(node)) return [];
      return [
        {
          code: CODES.dotFolderHidden.code,
          severity: 'warning',
          message: `${folder} contains files, but Express 5 responds 404 to requests for them`,
          site: site ?? node.site,
          change: serveSeparately(sources, node, site),
        },
      ];
    });
  });
}

/** Adds `dotfiles: 'ignore'` to a call of `express.static` without options. */
function ignoreDotFiles(sources: Sources, site: Site | undefined): Change | undefined {
  const call = sources.callAt(site);
  const [root, ...others] = call?.node.arguments ?? [];
  if (!root || !site || others.length > 0) return undefined;
  const option = "{ dotfiles: 'ignore' }";
  return insertAt(sources.file(site.file), root.end, `, ${option}`, `add the option ${option}`);
}

/** Mounts the folder `.well-known` in front of its root. */
function serveSeparately(sources: Sources, node: LiveNode, site: Site | undefined): Change | undefined {
  const [use, serve] = [node.site, site].map((one) => sources.callAt(one));
  const text = site && sources.file(site.file)?.text;
  const [root] = serve?.node.arguments ?? [];
  if (!use || !serve || !root || !text || prefixOf(node) !== '' || site?.file !== node.site?.file)
    return undefined;
  const shownAs = ({ start, end }: t.Node): string => text.slice(start ?? 0, end ?? 0);
  const object = shownAs(rootOf(use).node);
  const folder =
    root.type === 'StringLiteral'
      ? `'${join(root.value, '.well-known')}'`
      : `${shownAs(root)} + '/.well-known'`;
  return insertBefore(
    sources,
    node.site,
    `${object}.use('/.well-known', ${shownAs(serve.node.callee)}(${folder}));`,
  );
}

export function findMissingFolders(application: LiveApplication): Finding[] {
  const { sources } = application;
  return servedIn(application).flatMap(({ node, files: { root, site } }): Finding[] => {
    if (existsSync(root)) return [];
    const joined = joinedAt(site, sources);
    if (joined) return [{ ...joined, severity: 'warning', site: site ?? node.site }];
    return [
      {
        code: CODES.staticMissing.code,
        severity: 'note',
        message: `the folder ${nameOfFile(resolve(root))} does not exist`,
        site: site ?? node.site,
        change: besideFile(root, site, sources),
      },
    ];
  });
}

/** Makes a relative folder relative to the source file, if it exists there. */
function besideFile(root: string, site: Site | undefined, sources: Sources): Change | undefined {
  const [first] = sources.callAt(site)?.node.arguments ?? [];
  const parsed = site && sources.file(site.file);
  if (!parsed || first?.type !== 'StringLiteral' || isAbsolute(root)) return undefined;
  if (!existsSync(join(dirname(parsed.file), root))) return undefined;
  const name = first.value.replace(/^\.?\/*/, '/').replace(/'/g, "\\'");
  return replaceNode(parsed, first, `${folderNameIn(parsed)} + '${name}'`);
}

/** A folder and a name that are joined without a slash, in a call of `express.static`. */
function joinedAt(
  site: Site | undefined,
  sources: Sources,
): Pick<Finding, 'code' | 'message' | 'change'> | undefined {
  const [first] = sources.callAt(site)?.node.arguments ?? [];
  return joinedIn(first, site && sources.file(site.file));
}

/** An expression such as `__dirname + 'public'`, if the path exists with a slash, and does not exist without it. */
export function joinedIn(
  node: t.Node | undefined,
  parsed: ParsedFile | undefined,
): Pick<Finding, 'code' | 'message' | 'change'> | undefined {
  const parts =
    node?.type === 'BinaryExpression' && node.operator === '+' && node.right.type === 'StringLiteral'
      ? { folder: node.left, name: node.right.value, at: (node.right.start ?? 0) + 1 }
      : node?.type === 'TemplateLiteral' && node.expressions.length === 1 && node.quasis[0]?.value.raw === ''
        ? {
            folder: node.expressions[0] as t.Node,
            name: node.quasis[1]?.value.cooked ?? '',
            at: node.quasis[1]?.start ?? 0,
          }
        : undefined;
  if (!parts || !parsed) return undefined;
  const { folder, name, at } = parts;
  const shownAs = parsed.text.slice(folder.start ?? 0, folder.end ?? 0);
  if (!/^(?:__dirname|import\.meta\.dirname|process\.cwd\(\))$/.test(shownAs)) return undefined;
  const base = shownAs.startsWith('process') ? process.cwd() : dirname(parsed.file);
  if (existsSync(base + name) || !existsSync(join(base, name))) return undefined;
  return {
    code: CODES.joined.code,
    message: `joins ${shownAs} and "${name}" without a slash: ${nameOfFile(base + name)} does not exist`,
    change: insertAt(parsed, at, '/', `write "/${name}"`),
  };
}

/** The expression for the folder of a source file. */
export function folderNameIn({ text }: ParsedFile): string {
  return /^\s*(?:import|export)\b/m.test(text) ? 'import.meta.dirname' : '__dirname';
}

/** Whether another layer is mounted on `/.well-known`, where it may serve the folder. */
function isServedSeparately(node: LiveNode): boolean {
  const path = `${prefixOf(node) ?? ''}/.well-known`;
  const top = topOf(node);
  return [...walkTree(top)].some((one) => one !== top && prefixOf(one)?.startsWith(path));
}

function topOf(node: LiveNode): LiveNode {
  return node.parent ? topOf(node.parent) : node;
}

/** The names of dot folders in `root` in which `firstFileIn` finds a file. */
function dotFoldersIn(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith('.'))
    .filter(({ name }) => firstFileIn(join(root, name)) !== undefined)
    .map(({ name }) => name);
}

/**
 * The relative path of a file below a folder, up to `depth` folders deep; undefined if there is none. Ignores names
 * that begin with a dot.
 */
function firstFileIn(folder: string, depth = 2): string | undefined {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'));
  const file = entries.find((entry) => entry.isFile());
  if (file) return file.name;
  if (depth === 0) return undefined;
  for (const entry of entries) {
    const below = entry.isDirectory() ? firstFileIn(join(folder, entry.name), depth - 1) : undefined;
    if (below !== undefined) return join(entry.name, below);
  }
  return undefined;
}

export function findSentFiles({ roots }: LiveApplication): Finding[] {
  return roots.flatMap((root) =>
    [...walkTree(root)].flatMap(({ series, handlers }) =>
      series === '4.x'
        ? []
        : handlers.flatMap(({ layers, name, site }): Finding[] => {
            const body = (layers[0] && sourceOf(layers[0].handle)?.body) ?? '';
            const call = /\.sendFile\(([^;]*)/.exec(body)?.[1] ?? '';
            const isBelowDot = site !== undefined && /[\\/]\.[^\\/.]/.test(dirname(site.file) + sep);
            const isOwnFolder = /\b__dirname\b|\bimport\.meta\.dirname\b/.test(call);
            if (!isBelowDot || !isOwnFolder || /\broot\b|\bdotfiles\b|\.\./.test(call)) return [];
            return [
              {
                code: CODES.sendFileDotFolder.code,
                severity: 'warning',
                message: `${name} sends a file by its absolute path, and a folder in ${site.file} begins with a dot: Express 5 responds 404`,
                site,
              },
            ];
          }),
    ),
  );
}

/** Milliseconds without data after which a request to the application is cancelled. */
const PATIENCE = 5000;
/** The maximum number of pairs of a guard and a file that are requested. */
const MAX_GUARDS = 20;

/** Requests a file behind each guard in two spellings of its path. Reports guards that only the second one bypasses. */
export async function findGuards(application: LiveApplication): Promise<Finding[]> {
  const { server } = application;
  if (!server || /^Http2/.test(server.constructor.name)) return [];
  const pairs = servedIn(application).flatMap(({ node, files }) => guardedFiles(node, files));
  const findings: Finding[] = [];
  const seen = new Set<LiveNode>();
  for (const { guard, target, file, served } of pairs.slice(0, MAX_GUARDS)) {
    if (seen.has(guard)) continue;
    const content = readFileSync(file);
    const plain = await requestFrom(server, target);
    const respelled = respell(target);
    if (plain.status < 300 || plain.status >= 500 || plain.body.equals(content)) continue;
    const other = await requestFrom(server, respelled);
    if (other.status !== 200 || !other.body.equals(content)) continue;
    seen.add(guard);
    findings.push({
      code: CODES.guard.code,
      severity: 'warning',
      message: `another spelling of the path bypasses the guard on ${guard.fullPaths.join(', ')}: the response to ${target} is ${plain.status}, but ${respelled} sends ${nameOfFile(file)} (static files of ${shown(served.site)})`,
      site: guard.site,
      change: strictPaths(application, guard),
    });
  }
  return findings;
}

/** Enables the setting of Nozomi that refuses other spellings. */
function strictPaths({ loaded, sources }: LiveApplication, { site }: LiveNode): Change | undefined {
  const isNozomi = [...loaded.copies.keys()].some((folder) => manifestIn(folder).name === 'nozomi');
  return isNozomi ? insertAfterCreation(sources, site, (app) => `${app}.enable('strict paths');`) : undefined;
}

interface Guarded {
  readonly guard: LiveNode;
  readonly served: LiveNode;
  /** The request target of the file. */
  readonly target: string;
  readonly file: string;
}

/** For each earlier middleware or route on a path inside a static folder, a file at or below that path. */
function guardedFiles(served: LiveNode, { root }: StaticFiles): Guarded[] {
  const mount = prefixOf(served);
  if (mount === undefined || !existsSync(root)) return [];
  return precedingOf(served).flatMap((guard): Guarded[] => {
    const path = guard.kind === 'middleware' || guard.kind === 'route' ? prefixOf(guard) : undefined;
    if (path === undefined || !path.startsWith(`${mount}/`) || path === `${mount}/`) return [];
    const place = join(resolve(root), path.slice(mount.length));
    if (!place.startsWith(resolve(root) + sep) || !existsSync(place)) return [];
    const below = statSync(place).isDirectory() ? firstFileIn(place) : '';
    if (below === undefined) return [];
    const target = [path, ...below.split(sep).filter(Boolean).map(encodeURIComponent)].join('/');
    return [{ guard, served, target, file: join(place, below) }];
  });
}

/** The literal text at the start of a full path: `/admin` for `/admin/:id`; undefined if the node has several paths. */
function prefixOf(node: LiveNode): string | undefined {
  const { all } = shapesOf(node);
  const [shape, ...others] = all;
  if (!shape || others.length > 0) return undefined;
  const texts: string[] = [];
  for (const { text } of shape.segments) {
    if (text === undefined) break;
    texts.push(text);
  }
  return texts.join('/');
}

/** Spells the same path differently, with its first character percent-encoded: `/%61dmin` for `/admin`. */
function respell(target: string): string {
  return target.replace(
    /^\/([^/%])/,
    (_all, character: string) => `/%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

async function requestFrom(server: HttpServer, path: string): Promise<{ status: number; body: Buffer }> {
  if (!server.listening) {
    await new Promise<void>((settle, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', settle);
    });
  }
  const [place] = serversOf(server) as [ServerPlace];
  const options = {
    host: 'localhost',
    path,
    createConnection: () => connectTo(place),
    timeout: PATIENCE,
  };
  return new Promise((settle) => {
    const failed = (): void => settle({ status: 0, body: Buffer.alloc(0) });
    const request = getPlain(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => settle({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      response.on('error', failed);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', failed);
  });
}
