/**
 * Chooses the header `Cookie` of each request in a replay. A replayed request sends the cookies that its recorded request
 * sent, with the values that the same responses set in this run. If the recording has no cookies, all requests share one
 * cookie jar, as in a browser.
 */
import { unescape as decodePercent } from 'node:querystring';
import type { Exchange, HeaderList, Request } from '../client/messages';
import { headerOf } from '../client/response';
import type { RecordedRequest } from '../requests/recorded-request';

/** A cookie that a request has, as recorded. */
interface Sent {
  readonly name: string;
  /** `name=value` as recorded. */
  readonly pair: string;
  /** The number of the request, from 0, whose response set it; undefined if none did. */
  readonly setBy: number | undefined;
  /** The earlier requests with the same cookie, whose responses may have replaced it in a run. */
  readonly holders: readonly number[];
}

/** Returns the value of the header `Cookie` of a request in a run; undefined for none. */
type CookiesOf = (seen: readonly Exchange[], request: Request) => string | undefined;

/**
 * @param replace Replaces a value that no response set, such as a masked one.
 * @returns For each request, what to send as `Cookie`.
 */
export function cookiesFor(
  requests: readonly RecordedRequest[],
  replace: (index: number, pair: string, seen: readonly Exchange[]) => string,
): CookiesOf[] {
  const isSilent = !requests.some(
    ({ headers, answer }) =>
      (answer && pairsIn(headers).length > 0) || setIn(answer?.headers ?? []).length > 0,
  );
  if (isSilent) return requests.map((one, index) => (seen) => fromJar(one, requests, seen.slice(0, index)));
  const setAt = new Map<string, number>();
  const held = new Map<string, number[]>();
  return requests.map((one, index) => {
    const sent = pairsIn(one.headers).map((pair): Sent => {
      const holders = held.get(pair) ?? [];
      const known = {
        name: nameOf(pair),
        pair,
        setBy: setAt.get(decodePercent(pair)),
        holders: [...holders],
      };
      held.set(pair, [...holders.slice(-20), index]);
      return known;
    });
    for (const line of setIn(one.answer?.headers ?? []))
      setAt.set(decodePercent(line.split(';', 1)[0] ?? ''), index);
    return (seen) => {
      const pairs = sent.map((cookie) => cookieIn(cookie, seen) ?? replace(index, cookie.pair, seen));
      return pairs.length === 0 ? undefined : pairs.join('; ');
    };
  });
}

/** Returns the cookie that a run has in place of a recorded one: the response that set it counts, then its holders. */
function cookieIn({ name, setBy, holders }: Sent, seen: readonly Exchange[]): string | undefined {
  const numbers = setBy === undefined ? holders : [setBy, ...holders];
  for (const number of setBy === undefined ? numbers.toReversed() : numbers) {
    const set = setIn(seen[number]?.response.headers ?? []).findLast((line) => nameOf(line) === name);
    if (set !== undefined) return set.split(';', 1)[0];
  }
  return undefined;
}

function pairsIn(headers: HeaderList): string[] {
  return headers
    .filter(([name]) => /^cookie$/i.test(name))
    .flatMap(([, value]) => value.split(/;\s*/))
    .filter(Boolean);
}

function setIn(headers: HeaderList): string[] {
  return headers.filter(([name]) => /^set-cookie$/i.test(name)).map(([, value]) => value);
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0]?.trim() ?? '';
}

/** Returns the cookies of one client, whose paths and ends are those of the attributes. RFC 6265 §5.3, §5.4 */
function fromJar(one: Request, requests: readonly Request[], seen: readonly Exchange[]): string | undefined {
  const jar = new Map<string, { pair: string; path: string }>();
  for (const [index, { response }] of seen.entries())
    for (const line of setIn(response.headers ?? [])) {
      const [pair = '', ...attributes] = line.split(/;\s*/);
      const attribute = (name: string): string | undefined =>
        attributes.find((text) => text.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
      const [maxAge, expires] = [attribute('max-age'), attribute('expires')];
      const isOver = maxAge === undefined ? Date.parse(expires ?? '') < Date.now() : Number(maxAge) <= 0;
      const own = attribute('path');
      const path = own?.startsWith('/') ? own : defaultPath(requests[index]?.target);
      if (isOver) jar.delete(`${nameOf(pair)};${path}`);
      else jar.set(`${nameOf(pair)};${path}`, { pair, path });
    }
  const pairs = new Map(pairsIn(one.headers).map((pair) => [nameOf(pair), pair]));
  for (const { pair, path } of jar.values())
    if (isBelow(pathOf(one.target), path)) pairs.set(nameOf(pair), pair);
  return pairs.size === 0 ? undefined : [...pairs.values()].join('; ');
}

function pathOf(target = ''): string {
  return target.split(/[?#]/, 1)[0] ?? '';
}

function defaultPath(target: string | undefined): string {
  return pathOf(target).replace(/\/[^/]*$/, '') || '/';
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Returns the headers with these cookies, in the place of the first header `Cookie`. */
export function withCookies(headers: HeaderList, cookies: string | undefined): HeaderList {
  const isCookie = ([name]: readonly [string, string]): boolean => /^cookie$/i.test(name);
  if (headerOf(headers, 'cookie') === cookies && headers.filter(isCookie).length < 2) return headers;
  const at = headers.findIndex(isCookie);
  const others = headers.filter((one) => !isCookie(one));
  if (cookies === undefined) return others;
  const name = headers[at]?.[0] ?? 'Cookie';
  return at < 0
    ? [...others, [name, cookies]]
    : [...headers.slice(0, at), [name, cookies], ...headers.slice(at + 1).filter((one) => !isCookie(one))];
}
