/** Reads the requests to an application from a HAR file or a text file. */
import { basename } from 'node:path';
import type { HeaderList, Request } from '../client/messages';
import { request } from '../client/request';
import type { LeftOut } from '../judge/report';
import { Scrubber } from '../recorder/scrub';
import { readSecrets, type Secrets } from '../recorder/secrets';
import { type HarEntry, readEntries } from '../requests/har';
import { readText } from '../requests/read-text';

export interface Traffic {
  /** The name of the file, for messages. */
  readonly name: string;
  readonly requests: readonly RecordedRequest[];
  /** The entries of the file that are not played. */
  readonly leftOut: readonly LeftOut[];
  /** The values that the recording has masked in its requests, if they were kept. */
  readonly secrets: Secrets;
}

export interface RecordedRequest extends Request {
  /** The method and path, with a number if the file repeats them: `GET /orders #2`. Secrets are masked. */
  readonly id: string;
  /** The status of the recorded response, if the file has one. */
  readonly recorded?: number;
  /** The recorded response, if the file has one. */
  readonly answer?: Answer;
}

/** The part of a response in which values for later requests are looked for. */
export interface Answer {
  readonly headers: HeaderList;
  readonly body: string;
}

/**
 * Reads the requests of a HAR file to one origin, in the order in which they started.
 *
 * @param origin The origin, such as `https://example.org`; default: that of the first page of a browser, or that of most
 *   requests.
 * @throws TypeError if the file is missing, is not a HAR file, or has no request that can be played.
 */
export function readHar(file: string, origin?: string): Traffic {
  const name = basename(file);
  const entries = readEntries(readText(file), name);
  if (entries.length === 0) throw new TypeError(`${name} contains no request`);
  const home = origin ?? homeOf(entries);
  if (!entries.some((entry) => isAt(entry, home)))
    throw new TypeError(
      `${name}: no request to ${home ?? 'an http or https URL'} found; --origin selects the origin`,
    );
  const judged = entries.map((entry) => [entry, reasonNotToPlay(entry, home)] as const);
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
  return { name, requests: withIds(requests), leftOut, secrets: readSecrets(file) };
}

/** Returns the origin of the application: that of the first page of a browser, without redirects; else that of most requests. */
function homeOf(entries: readonly HarEntry[]): string | undefined {
  const http = entries.filter(({ method, isSocket }) => method !== 'CONNECT' && !isSocket);
  const pages = http.some(({ isPage }) => isPage)
    ? http.filter(({ isPage }) => isPage)
    : http.filter(({ isOfPage }) => isOfPage);
  const page = pages.find(({ status }) => status < 300 || status > 399 || status === 304) ?? pages[0];
  return page ? page.parts?.origin : mostFrequent(http.flatMap(({ parts }) => parts?.origin ?? []));
}

/** Returns the first of those that occur most. */
function mostFrequent(all: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0];
}

/** Whether an entry belongs to an origin. A path without an origin belongs to each. */
function isAt({ parts }: Pick<HarEntry, 'parts'>, home: string | undefined): boolean {
  return parts !== undefined && (parts.origin === undefined || parts.origin === home);
}

function reasonNotToPlay(entry: HarEntry, home: string | undefined): LeftOut['why'] | undefined {
  if (entry.isSocket) return 'WebSocket';
  if (entry.method === 'CONNECT') return 'tunnel of a proxy';
  if (!isAt(entry, home)) return 'other origin';
  return entry.request ? undefined : 'body not recorded';
}

/** Masks secrets with a constant: the random suffix of `masked-1a2b` would change the id in each run. */
function withoutSecrets(method: string, target: string): string {
  return `${method} ${new Scrubber().url(target)}`.replace(/\bmasked-[\da-f]{4}\b/g, 'masked');
}

/** Gives each request its method and path as id. Repeated requests get a number: `GET /orders #2`. */
function withIds(requests: ReadonlyArray<Omit<RecordedRequest, 'id'>>): RecordedRequest[] {
  const counts = new Map<string, number>();
  return requests.map((one) => {
    const name = withoutSecrets(one.method, one.target);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { ...one, id: count === 1 ? name : `${name} #${count}` };
  });
}

/**
 * Reads the requests of a text file:
 *
 *     GET /users?page=2
 *     Accept: application/json
 *
 *     POST /users
 *     Content-Type: application/json
 *
 *     {"name":"Ann"}
 *     ###
 *     DELETE /users/3
 *
 * If a request has a Content-Type, a body follows the empty line and ends at `###` or the end of the file. Lines that
 * begin with `#` or `//` before a request are comments.
 *
 * @throws TypeError if the file is missing, contains no request, or has an invalid line.
 */
export function readRequests(file: string): Traffic {
  const name = basename(file);
  const requests = parseRequests(readText(file), name);
  if (requests.length === 0)
    throw new TypeError(`${name}: no request found; a request begins with a line such as "GET /path"`);
  return { name, requests, leftOut: [], secrets: new Map() };
}

export function parseRequests(text: string, name: string): RecordedRequest[] {
  const lines = text.split(/\r?\n/);
  const requests: Request[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at++] ?? '';
    if (line.trim() === '' || /^(#|\/\/)/.test(line)) continue;
    const [, method, target] = /^([A-Z]+) +(\S+)( +HTTP\/1\.1)?$/.exec(line.trim()) ?? [];
    if (!method || !target)
      throw new TypeError(`${name}:${at}: expected "GET /path", got ${JSON.stringify(line)}`);
    const headers: Array<readonly [string, string]> = [];
    for (let header = headerIn(lines[at]); header; header = headerIn(lines[++at])) headers.push(header);
    let body: string | undefined;
    if (headers.some(([header]) => /^content-type$/i.test(header))) {
      const end = lines.findIndex((one, index) => index >= at && /^###/.test(one));
      const isMultipart = headers.some(
        ([header, value]) => /^content-type$/i.test(header) && /^multipart\//i.test(value),
      );
      const text = lines
        .slice(at + 1, end < 0 ? undefined : end)
        .join(isMultipart ? '\r\n' : '\n')
        .trimEnd();
      // A multipart body needs CRLF, even if the file has LF. RFC 2046 §5.1.1
      body = isMultipart ? `${text}\r\n` : text;
      at = end < 0 ? lines.length : end + 1;
    }
    requests.push(withHeaders(request(method, target.replace(/^https?:\/\/[^/]+/, ''), body), headers));
  }
  return withIds(requests);
}

/** Headers that are not sent again: they belong to one connection, or the client sets them itself. */
const NOT_SENT =
  /^(?:connection|keep-alive|proxy-connection|transfer-encoding|content-length|te|upgrade|http2-settings)$/i;

/** Adds the headers of the file in their order, except `NOT_SENT`. The default Host stays if the file has none. */
function withHeaders(made: Request, given: HeaderList): Request {
  const headers = given.filter(([name]) => !NOT_SENT.test(name));
  const hasHost = headers.some(([name]) => /^host$/i.test(name));
  const [host, ...described] = made.headers;
  return { ...made, headers: [...(hasHost || !host ? [] : [host]), ...headers, ...described] };
}

function headerIn(line = ''): readonly [string, string] | undefined {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(line) ?? [];
  return name === undefined || line.startsWith('###') ? undefined : [name, value ?? ''];
}
