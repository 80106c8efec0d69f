/** Reads the requests to an application from a HAR file or a text file. */
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type * as har from 'har-format';
import type { HeaderList, Request } from '../client/messages';
import { raw, request } from '../client/request';
import type { HarEntry } from '../corpus/har';
import type { LeftOut } from '../judge/report';
import { Scrubber } from '../recorder/scrub';
import { readSecrets, type Secrets } from '../recorder/secrets';

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

/** A HAR entry. Chrome adds `_resourceType`; recordings of `--update` have `_sent`. */
type SavedEntry = Pick<har.Entry, 'request'> &
  Partial<
    Pick<har.Entry, 'response' | 'startedDateTime' | '_resourceType'> &
      Pick<HarEntry, '_sent' | '_sentEncoding'>
  >;

/** Headers that are not sent again: they belong to one connection or to HTTP/2, or the client sets them itself. */
const NOT_SENT =
  /^(:.*|connection|keep-alive|proxy-connection|transfer-encoding|content-length|te|upgrade|http2-settings)$/i;

/**
 * Reads the requests of a HAR file to one origin, in the order in which they started.
 *
 * @param origin The origin, such as `https://example.org`; default: that of the first request.
 * @throws TypeError if the file is missing, is not JSON, or has no request that can be played.
 */
export function readHar(file: string, origin?: string): Traffic {
  const name = basename(file);
  const { log } = parseHar(readText(file), name);
  const entries = inOrder((log?.entries ?? []) as readonly SavedEntry[]);
  if (entries.length === 0) throw new TypeError(`${name} contains no request`);
  const home = origin ?? entries.map(({ request: { url } }) => originOf(url)).find(Boolean);
  const judged = entries.map((entry) => [entry, reasonNotToPlay(entry, home)] as const);
  const playable = judged.filter(([, why]) => why === undefined).map(([entry]) => entry);
  if (!entries.some(({ request: { url } }) => originOf(url) === home))
    throw new TypeError(
      `${name}: no request to ${home ?? 'an http or https URL'} found; --origin selects the origin`,
    );
  const leftOut = judged.flatMap(([{ request }, why]) =>
    why ? [{ why, what: withoutSecrets(request.method, pathOf(request.url, home)) }] : [],
  );
  if (playable.length === 0)
    throw new TypeError(
      `${name}: no request can be played; ${leftOut.map(({ what, why }) => `${what}: ${why}`).join(', ')}`,
    );
  return { name, requests: withIds(playable.map(toRequest)), leftOut, secrets: readSecrets(file) };
}

/** Sorts entries by their start, because browsers save a stream only when it ends. */
function inOrder(entries: readonly SavedEntry[]): SavedEntry[] {
  const begun = ({ startedDateTime = '' }: SavedEntry): number => Date.parse(startedDateTime) || 0;
  return [...entries].sort((a, b) => begun(a) - begun(b));
}

function reasonNotToPlay(entry: SavedEntry, home: string | undefined): LeftOut['why'] | undefined {
  const { request, response, _resourceType } = entry;
  const isSocket = /^wss?:/.test(request.url) || _resourceType === 'websocket' || response?.status === 101;
  if (isSocket) return 'WebSocket';
  if (originOf(request.url) !== home) return 'other origin';
  return hasWholeBody(entry) ? undefined : 'body not recorded';
}

/** Whether the file has the whole body of a request. Browsers omit uploaded files, but save the length. */
function hasWholeBody({ request, _sent }: SavedEntry): boolean {
  if (_sent !== undefined) return true;
  const header = request.headers.find(({ name }) => /^content-length$/i.test(name))?.value;
  const length = Number(header ?? request.bodySize ?? 0);
  const body = bodyOf(request.postData);
  if (body === undefined) return !(length > 0) && !request.postData;
  // Do not compare lengths for a form saved as `params`: the browser may have encoded it differently.
  return request.postData?.text === undefined || !(length > 0) || Buffer.byteLength(body) === length;
}

/** Returns the path of a URL of the origin `home`, and the whole URL for other origins. */
function pathOf(url: string, home = ''): string {
  return url.startsWith(`${home}/`) ? url.slice(home.length) : url;
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

function readText(file: string): string {
  if (!existsSync(file)) throw new TypeError(`no such file: ${file}`);
  return readFileSync(file, 'utf8');
}

function parseHar(text: string, name: string): Partial<har.Har> {
  try {
    return JSON.parse(text) as Partial<har.Har>;
  } catch (error) {
    throw new TypeError(`${name}: expected a HAR file in JSON: ${(error as Error).message}`);
  }
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

function toRequest({
  request: saved,
  response,
  _sent,
  _sentEncoding,
}: SavedEntry): Omit<RecordedRequest, 'id'> {
  const recorded =
    response && response.status > 0 ? { recorded: response.status, answer: toAnswer(response) } : {};
  if (_sent !== undefined) return { ...raw(Buffer.from(_sent, _sentEncoding ?? 'utf8')), ...recorded };
  const { host, pathname, search } = new URL(saved.url);
  const headers = saved.headers.map(({ name, value }) => [name, value] as const);
  const made = request(saved.method, pathname + search, bodyOf(saved.postData), { Host: host });
  return { ...withHeaders(made, headers), ...recorded };
}

function toAnswer({ headers = [], content }: Partial<har.Response>): Answer {
  const { text = '', encoding } = content ?? {};
  return {
    headers: headers.map(({ name, value }) => [name, value] as const),
    body: encoding === 'base64' ? String(Buffer.from(text, 'base64')) : text,
  };
}

/**
 * Returns the body of a request. Browsers save text in `text` and forms in `params`; some save bytes as base64. The
 * result is undefined without saved data, and for a multipart form without `text`.
 */
function bodyOf(data: (har.PostData & { encoding?: string }) | undefined): string | Buffer | undefined {
  if (!data) return undefined;
  const { mimeType = '', text, encoding, params = [] } = data;
  if (text !== undefined) return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
  if (/^multipart\//i.test(mimeType)) return undefined;
  return String(new URLSearchParams(params.map(({ name, value = '' }): [string, string] => [name, value])));
}

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

function originOf(url: string | undefined): string | undefined {
  return url === undefined || !URL.canParse(url) || !/^https?:/.test(url) ? undefined : new URL(url).origin;
}
