/** What is asked of an application: requests out of a HAR file, or written down in a text file. */
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type * as har from 'har-format';
import type { Exchange } from '../client/exchange';
import { type Asked, type Fields, type Request, raw, request } from '../client/request';
import type { HarEntry } from '../corpus/har';

export interface Traffic {
  /** The file, for people. */
  readonly name: string;
  readonly requests: readonly Request[];
  /** Requests of the file that go elsewhere: to another origin, over another protocol. */
  readonly skipped: number;
}

/** A HAR as browsers save it; the members of our own are in our recordings alone. */
type SavedEntry = Pick<har.Entry, 'request'> & Partial<Pick<HarEntry, '_sent' | '_sentEncoding'>>;

/** What holds for one connection only, or is said anew: the client speaks HTTP/1.1 and counts for itself. */
const NOT_SENT =
  /^(:.*|connection|keep-alive|proxy-connection|transfer-encoding|content-length|te|upgrade|http2-settings)$/i;

/**
 * The requests that go to one origin, in their order.
 *
 * @param origin `https://example.org`; default is that of the first request.
 * @throws TypeError when there is no such file, or no such request in it.
 */
export function readHar(file: string, origin?: string): Traffic {
  const name = basename(file);
  const { log } = parseHar(readText(file), name);
  const entries = (log?.entries ?? []) as readonly SavedEntry[];
  const home = origin ?? originOf(entries[0]?.request.url);
  const asked = entries.filter(({ request: { url } }) => originOf(url) === home);
  if (asked.length === 0) throw new TypeError(`${name}: no request to ${home ?? 'anything'} in it`);
  return { name, requests: asked.map(toRequest), skipped: entries.length - asked.length };
}

/**
 * The requests of a text file:
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
 * A body follows the empty line where there is a Content-Type, and ends at `###` or the end of the file.
 * Lines that begin with `#` or `//` before a request are comments.
 *
 * @throws TypeError which line is none of these.
 */
export function readRequests(file: string): Traffic {
  const name = basename(file);
  const requests = parseRequests(readText(file), name);
  if (requests.length === 0) throw new TypeError(`${name}: no request in it`);
  return { name, requests, skipped: 0 };
}

function readText(file: string): string {
  if (!existsSync(file)) throw new TypeError(`no such file: ${file}`);
  return readFileSync(file, 'utf8');
}

function parseHar(text: string, name: string): Partial<har.Har> {
  try {
    return JSON.parse(text) as Partial<har.Har>;
  } catch (error) {
    throw new TypeError(`${name}: wanted a HAR, which is JSON: ${(error as Error).message}`);
  }
}

export function parseRequests(text: string, name: string): Request[] {
  const lines = text.split(/\r?\n/);
  const requests: Request[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at++] ?? '';
    if (line.trim() === '' || /^(#|\/\/)/.test(line)) continue;
    const [, method, target] = /^([A-Z]+) +(\S+)( +HTTP\/1\.1)?$/.exec(line.trim()) ?? [];
    if (!method || !target)
      throw new TypeError(`${name}:${at}: wanted "GET /path", got ${JSON.stringify(line)}`);
    const fields: Array<readonly [string, string]> = [];
    for (let field = fieldIn(lines[at]); field; field = fieldIn(lines[++at])) fields.push(field);
    let body: string | undefined;
    if (fields.some(([field]) => /^content-type$/i.test(field))) {
      const end = lines.findIndex((one, index) => index >= at && /^###/.test(one));
      body = lines
        .slice(at + 1, end < 0 ? undefined : end)
        .join('\n')
        .trimEnd();
      at = end < 0 ? lines.length : end + 1;
    }
    requests.push(withFields(request(method, target.replace(/^https?:\/\/[^/]+/, ''), body), fields));
  }
  return requests;
}

/**
 * A cookie that an implementation has set goes back to it: sessions last in each implementation, though their ids differ.
 */
export function withCookies(one: Request): Asked {
  return (seen) => {
    const jar = cookiesOf(seen);
    const sent = one.fields.find(([name]) => /^cookie$/i.test(name))?.[1];
    if (jar.size === 0 || one.bytes) return one;
    const pairs = new Map(sent?.split('; ').map((pair) => [pair.split('=', 1)[0] ?? '', pair]));
    for (const [name, pair] of jar) pairs.set(name, pair);
    const fields = one.fields.filter(([name]) => !/^cookie$/i.test(name));
    return { ...one, fields: [...fields, ['Cookie', [...pairs.values()].join('; ')]] };
  };
}

function cookiesOf(seen: readonly Exchange[]): Map<string, string> {
  const jar = new Map<string, string>();
  for (const { answer } of seen) {
    for (const [name, value] of answer.fields ?? []) {
      const pair = value.split(';', 1)[0] ?? '';
      if (/^set-cookie$/i.test(name)) jar.set(pair.split('=', 1)[0] ?? '', pair);
    }
  }
  return jar;
}

function toRequest({ request: saved, _sent, _sentEncoding }: SavedEntry): Request {
  if (_sent !== undefined) return raw(Buffer.from(_sent, _sentEncoding ?? 'utf8'));
  const { host, pathname, search } = new URL(saved.url);
  const body = bodyOf(saved.postData);
  const fields = saved.headers.map(({ name, value }) => [name, value] as const);
  return withFields(request(saved.method, pathname + search, body, { Host: host }), fields);
}

/** Browsers save a form as pairs, text as it is, and some save bytes as base64. */
function bodyOf(data: (har.PostData & { encoding?: string }) | undefined): string | Buffer | undefined {
  if (!data) return undefined;
  if (data.text !== undefined) return Buffer.from(data.text, data.encoding === 'base64' ? 'base64' : 'utf8');
  return String(
    new URLSearchParams((data.params ?? []).map(({ name, value = '' }): [string, string] => [name, value])),
  );
}

/** Fields in the order given; the Host and the length that were made stay where none is given. */
function withFields(made: Request, given: Fields): Request {
  const fields = given.filter(([name]) => !NOT_SENT.test(name));
  const hasHost = fields.some(([name]) => /^host$/i.test(name));
  const [host, ...described] = made.fields;
  return { ...made, fields: [...(hasHost || !host ? [] : [host]), ...fields, ...described] };
}

function fieldIn(line = ''): readonly [string, string] | undefined {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(line) ?? [];
  return name === undefined || line.startsWith('###') ? undefined : [name, value ?? ''];
}

function originOf(url: string | undefined): string | undefined {
  return url === undefined || !URL.canParse(url) || !/^https?:/.test(url) ? undefined : new URL(url).origin;
}
