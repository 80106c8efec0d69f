/** Reads the requests to an application from a HAR file or a text file. */
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { LeftOut } from '../judge/report';
import { readSecrets } from '../recorder/secrets';
import type { Drafted } from '../requests/drafts';
import { readEnvironment } from '../requests/environment';
import { type HarEntry, readEntries } from '../requests/har';
import { type HttpFileOptions, readHttpFile } from '../requests/http-file';
import { mostFrequent, withIds, withoutSecrets } from '../requests/ids';
import { parseJson } from '../requests/json';
import { isCollection, readCollection } from '../requests/postman';
import { readText } from '../requests/read-text';
import type { RecordedRequest, Traffic } from '../requests/recorded-request';

export type { RecordedRequest, Traffic };

/**
 * Reads the requests of a HAR file to one origin, in the order in which they started.
 *
 * @param origin The origin, such as `https://example.org`; default: that of the first page of a browser, or that of most
 *   requests.
 * @throws TypeError if the file is missing, is not a HAR file, or has no request that can be played.
 */
export function readHar(file: string, origin?: string): Traffic {
  const name = basename(file);
  const entries = readEntries(readText(file), name).filter(isTraffic);
  if (entries.length === 0) throw new TypeError(`${name} contains no request`);
  const home = origin ?? homeOf(entries);
  if (!entries.some((entry) => isAt(entry, home)))
    throw new TypeError(
      `${name}: no request to ${home ?? 'an http or https URL'} found; --origin selects the origin`,
    );
  // Without a choice, the requests to several servers of one machine belong together.
  const isPlayed = (entry: HarEntry): boolean =>
    isAt(entry, home) || (origin === undefined && areLocal(entry.parts?.origin, home));
  const judged = entries.map((entry) => [entry, reasonNotToPlay(entry, isPlayed(entry))] as const);
  const leftOut = judged.flatMap(([{ method, url, parts }, why]) =>
    why
      ? [{ why, what: withoutSecrets(method, why === 'body not recorded' && parts ? parts.target : url) }]
      : [],
  );
  const requests = judged.flatMap(([{ request, status, answer }, why]) =>
    why || !request ? [] : [{ ...request, ...(answer && { recorded: status, answer }) }],
  );
  if (requests.length === 0)
    throw new TypeError(
      `${name}: no request can be played; ${leftOut.map(({ what, why }) => `${what}: ${why}`).join(', ')}`,
    );
  const ids = withIds(requests);
  return {
    name,
    requests: requests.map((one, index) => ({ ...one, id: ids[index] ?? '' })),
    leftOut,
    secrets: readSecrets(file),
  };
}

/** Whether an entry is a request over the network to a server: no `data:` URL, and no tunnel of a proxy. */
function isTraffic({ method, parts, isSocket }: HarEntry): boolean {
  return isSocket || (parts !== undefined && method !== 'CONNECT');
}

/** Returns the origin of the application: that of the first page of a browser, without redirects; else that of most requests. */
function homeOf(entries: readonly HarEntry[]): string | undefined {
  const http = entries.filter(({ isSocket }) => !isSocket);
  const pages = http.some(({ isPage }) => isPage)
    ? http.filter(({ isPage }) => isPage)
    : http.filter(({ isOfPage }) => isOfPage);
  const page = pages.find(({ status }) => status < 300 || status > 399 || status === 304) ?? pages[0];
  return page ? page.parts?.origin : mostFrequent(http.flatMap(({ parts }) => parts?.origin ?? []));
}

/** Whether an entry belongs to an origin. A path without an origin belongs to each. */
function isAt({ parts }: Pick<HarEntry, 'parts'>, home: string | undefined): boolean {
  return parts !== undefined && (parts.origin === undefined || parts.origin === home);
}

/** Whether both origins are ports of this machine. */
function areLocal(...origins: ReadonlyArray<string | undefined>): boolean {
  return origins.every((one) =>
    /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/.test(one ?? ''),
  );
}

function reasonNotToPlay(entry: HarEntry, isPlayed: boolean): LeftOut['why'] | undefined {
  if (entry.isSocket) return 'WebSocket';
  if (!isPlayed) return 'other origin';
  return entry.request ? undefined : 'body not recorded';
}

export interface RequestFileOptions {
  /** The name of an environment, or an exported environment of Postman; default: the only one. */
  readonly environment?: string | undefined;
  /** The origin of the application, for a file with requests to others, too; default: that of most requests. */
  readonly origin?: string | undefined;
}

/**
 * Reads the requests of a `.http` file, in the form of VS Code REST Client, JetBrains, Visual Studio, rest.nvim and kulala,
 * or of a collection of Postman in JSON. `docs/parity.md` describes both.
 *
 * @throws TypeError if the file is missing or contains no request, and for each line and item that cannot be sent.
 */
export function readRequests(file: string, { environment, origin }: RequestFileOptions = {}): Traffic {
  const name = basename(file);
  const text = readText(file);
  const options = { name, file, origin, environment: readEnvironment(file, environment) };
  const { requests, leftOut } = /^\s*\{/.test(text) ? readJson(text, options) : readHttpFile(text, options);
  if (requests.length === 0)
    throw new TypeError(`${name}: no request found; a request begins with a line such as "GET /path"`);
  return { name, requests, leftOut, secrets: new Map() };
}

function readJson(text: string, options: HttpFileOptions): Drafted {
  const { name, file } = options;
  const value = parseJson(text, name);
  if (!isCollection(value))
    throw new TypeError(
      `${name}: expected a collection of Postman, version 2.1, or a .http file; a HAR file needs --har`,
    );
  const readFile = (path: string): Buffer => {
    try {
      return readFileSync(resolve(dirname(resolve(file)), path));
    } catch (error) {
      throw new TypeError(`${name}: expected a file that can be read: ${(error as Error).message}`);
    }
  };
  return readCollection(value, { ...options, readFile });
}

/** Reads requests from the text of a `.http` file, without environments. */
export function parseRequests(text: string, name: string): RecordedRequest[] {
  const environment = { values: new Map(), remedy: 'define it with "@name = value"' };
  return [...readHttpFile(text, { name, file: name, environment }).requests];
}
