/**
 * Carries values from the responses of a run to its later requests: cookies, tokens, ids, ETags. Each run of an
 * application has its own, so a recorded request that repeats a recorded response would be refused.
 */
import { unescape as decodePercent } from 'node:querystring';
import type { Exchange, Request } from '../client/messages';
import type { RequestSource } from '../client/request';
import { maskedIn, type Secrets, unmask } from '../recorder/secrets';
import type { Answer, RecordedRequest } from './traffic';

/** Where a recorded response has a value: the number of its request from 0, and the place in it. */
interface Source {
  readonly request: number;
  readonly place: string;
}

/** Returns what a value of a recorded request is in this run; undefined if it does not change. */
type Look = (value: string) => string | undefined;

/** Headers of responses that no request repeats. */
const NOT_CARRIED =
  /^(?:set-cookie|date|content-(?:length|type|encoding)|connection|keep-alive|vary|x-powered-by)$/i;
/** A place whose value is an id even if it is short, as the number of a row. */
const ID_PLACE =
  /(?:^|[^a-z])(?:id|uuid|key|slug|code|token|number)$|[a-z](?:Id|ID|Uuid|Key|Token)$|^location |^header etag$/;
/** An id or a token, wherever it is. A short replacement or token may have no digit, depending on its random value. */
const TOKEN = /^masked-|^(?=.*\d).{8}|^.{16}/s;
/** A longer value is content. */
const LONGEST = 4096;

/**
 * Returns the requests of a recording as functions of the exchanges of a run, with the values of that run. A request of
 * exact bytes stays as it is.
 */
export function carrying(requests: readonly RecordedRequest[], secrets: Secrets): RequestSource[] {
  const sources = new Map<string, Source[]>();
  return requests.map((one, index) => {
    const known = new Map(sources);
    const { answer } = one;
    if (answer) addSources(sources, answer, index);
    if (one.bytes) return one;
    return (seen) => replaceValues(one.fill?.(seen) ?? one, lookIn(known, seen, secrets), cookiesOf(seen));
  });
}

/**
 * Finds the requests with a masked value that neither an earlier response nor `secrets` gives. A replay sends the
 * replacement, so a login fails.
 */
export function withUnknownSecrets(
  requests: readonly RecordedRequest[],
  secrets: Secrets,
): Set<RecordedRequest> {
  const known = new Set(secrets.keys());
  const lacking = new Set<RecordedRequest>();
  for (const one of requests) {
    const text = [one.target, ...one.headers.map(([, value]) => value), String(one.payload)].join('\n');
    if (maskedIn(text).some((value) => !known.has(value))) lacking.add(one);
    const { headers = [], body = '' } = one.answer ?? {};
    for (const value of maskedIn([...headers.map(([, header]) => header), body].join('\n'))) known.add(value);
  }
  return lacking;
}

function addSources(sources: Map<string, Source[]>, answer: Answer, request: number): void {
  for (const [place, value] of valuesOf(answer)) {
    // A new list, because earlier requests keep the old one. The latest response comes first.
    if (isCarried(place, value)) sources.set(value, [{ request, place }, ...(sources.get(value) ?? [])]);
  }
}

function isCarried(place: string, value: string): boolean {
  return TOKEN.test(value) || ID_PLACE.test(place);
}

function lookIn(
  known: ReadonlyMap<string, readonly Source[]>,
  seen: readonly Exchange[],
  secrets: Secrets,
): Look {
  const values = new Map<number, Map<string, string>>();
  const valuesAt = (request: number): Map<string, string> => {
    const { headers = [], body } = seen[request]?.response ?? {};
    const found = values.get(request) ?? new Map(valuesOf({ headers, body: String(body ?? '') }));
    values.set(request, found);
    return found;
  };
  const carried: Look = (value) => {
    for (const { request, place } of known.get(value) ?? []) {
      const now = valuesAt(request);
      // The order of a list may differ between runs: what the response still has is still valid.
      if ([...now].some(([at, other]) => other === value && isCarried(at, other))) return value;
      const found = now.get(place);
      if (found !== undefined) return found;
    }
    return secrets.get(value);
  };
  return (value) => {
    const replaced = carried(value) ?? unmask(value, carried);
    return replaced === value ? undefined : replaced;
  };
}

/** Lists the values of a response that a later request may repeat, by their place. */
function valuesOf({ headers, body }: Answer): Array<[place: string, value: string]> {
  const found: Array<[string, string]> = [];
  for (const [name, value] of headers) {
    const place = name.toLowerCase();
    if (place === 'set-cookie') {
      const [, cookie = '', text = ''] = /^([^=;]*)=([^;]*)/.exec(value) ?? [];
      found.push([`cookie ${cookie}`, decodePercent(text)]);
    }
    if (place === 'location')
      for (const [index, part] of (value.match(/[^/?&=#]+/g) ?? []).entries())
        found.push([`location ${index}`, decodePercent(part)]);
    if (!NOT_CARRIED.test(place)) found.push([`header ${place}`, value]);
  }
  const json = parseJson(body);
  if (json !== undefined) addLeaves(json, '', found);
  else for (const field of fieldsOf(body)) found.push(field);
  return found.filter(([, value]) => value !== '' && value.length <= LONGEST);
}

function addLeaves(value: unknown, place: string, found: Array<[string, string]>): void {
  if (typeof value === 'string' || typeof value === 'number') found.push([place, String(value)]);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) addLeaves(member, `${place}.${name}`, found);
}

/** Lists the fields of the forms and the meta elements of a page. */
function* fieldsOf(page: string): Iterable<[place: string, value: string]> {
  for (const [tag] of page.matchAll(/<(?:input|meta|button)\b[^>]*>/gi)) {
    const [, name] = /\sname=["']?([^\s"'>]+)/i.exec(tag) ?? [];
    const [, value] = /\s(?:value|content)=["']?([^\s"'>]+)/i.exec(tag) ?? [];
    if (name !== undefined && value !== undefined) yield [`field ${name}`, value];
  }
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function replaceValues(one: Request, look: Look, jar: ReadonlyMap<string, string>): Request {
  const headers = one.headers
    .filter(([name]) => jar.size === 0 || !/^cookie$/i.test(name))
    .map(([name, value]) => [name, replaceInHeader(name, value, look)] as const);
  const cookies = new Map<string, string>();
  for (const pair of one.headers.find(([name]) => /^cookie$/i.test(name))?.[1].split('; ') ?? [])
    cookies.set(pair.split('=', 1)[0] ?? '', replaceInHeader('cookie', pair, look));
  for (const [name, pair] of jar) cookies.set(name, pair);
  const type = one.headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
  const payload = replaceInBody(one.payload, type, look);
  return {
    ...one,
    target: replaceInUrl(one.target, look),
    headers: [
      ...headers.map(([name, value]) =>
        /^content-length$/i.test(name) && value === String(one.payload.length)
          ? ([name, String(payload.length)] as const)
          : ([name, value] as const),
      ),
      ...(jar.size === 0 ? [] : [['Cookie', [...cookies.values()].join('; ')] as const]),
    ],
    payload,
  };
}

/** Replaces parts of a path and values of a query. */
function replaceInUrl(target: string, look: Look): string {
  return target.replace(/[^/?&=#]+/g, (part) => {
    const now = look(decodePercent(part));
    return now === undefined ? part : encodeURIComponent(now);
  });
}

function replaceInHeader(name: string, value: string, look: Look): string {
  if (/^referer$/i.test(name)) return replaceInUrl(value, look);
  return look(value) ?? value.replace(/[^\s,;="]+/g, (part) => look(part) ?? part);
}

function replaceInBody(payload: Buffer, type: string, look: Look): Buffer {
  const text = String(payload);
  if (text === '' || !Buffer.from(text).equals(payload)) return payload;
  return Buffer.from(replaceInText(text, type, look));
}

function replaceInText(text: string, type: string, look: Look): string {
  if (/^application\/x-www-form-urlencoded/i.test(type))
    return text.replace(/[^&=]+/g, (part) => {
      const now = look(decodePercent(part.replaceAll('+', ' ')));
      return now === undefined ? part : encodeURIComponent(now);
    });
  if (parseJson(text) !== undefined)
    return text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (literal) => {
      const now = look(String(JSON.parse(literal)));
      if (now === undefined) return literal;
      return literal.startsWith('"') || !/^-?\d+(?:\.\d+)?$/.test(now) ? JSON.stringify(now) : now;
    });
  return text.replace(/[^\s"'=;<>]+/g, (part) => look(part) ?? part);
}

/** Returns the cookies of the run as `name=value`, by name. */
function cookiesOf(seen: readonly Exchange[]): Map<string, string> {
  const jar = new Map<string, string>();
  for (const { response } of seen) {
    for (const [name, value] of response.headers ?? []) {
      const pair = value.split(';', 1)[0] ?? '';
      if (/^set-cookie$/i.test(name)) jar.set(pair.split('=', 1)[0] ?? '', pair);
    }
  }
  return jar;
}
