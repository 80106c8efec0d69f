/**
 * Replaces values of recorded requests that come from recorded responses, such as cookies, tokens, ids and ETags, by the
 * values of this run. The application creates new ones in each run and would refuse the recorded ones.
 *
 * A token is replaced wherever it occurs. A short id, such as the number of a row, is replaced only in a member or path
 * segment with its name, because other values may be equal by accident.
 */
import { decodeExchange } from '../client/decode';
import type { Exchange } from '../client/messages';
import type { RequestSource } from '../client/request';
import { maskedIn, type Secrets, unmask } from '../recorder/secrets';
import type { RecordedRequest } from '../requests/recorded-request';
import { cookiesFor, withCookies } from './cookies';
import { howWell, isToken, type Named } from './names';
import { withValues } from './request-values';
import { type Found, findValues, RunResponse } from './response-values';

/** A value of a recorded response, with the number of its request from 0. */
interface Source extends Found {
  readonly request: number;
}

/** Returns what a value of a recorded request is in this run; undefined if it does not change. */
type Look = (value: string, use: Named) => string | undefined;

/** The number of places that are remembered for a value: the first ones, and the latest. */
const [FIRST, LATEST] = [10, 40];

/**
 * Returns the requests of a recording as functions of the exchanges of a run, with the values of that run. A request of
 * exact bytes stays as it is.
 */
export function carrying(requests: readonly RecordedRequest[], secrets: Secrets): RequestSource[] {
  const needed = requests.map(valuesIn);
  const isNeeded = new Set(needed.flatMap((values) => [...values]));
  const sources = new Map<string, Source[]>();
  const readResponse = responseReader();
  const looks = requests.map((one, index) => {
    // The sources before the response to this request.
    const known = new Map<string, readonly Source[]>();
    for (const value of needed[index] ?? []) {
      const found = sources.get(value);
      if (found) known.set(value, [...found]);
    }
    if (one.answer)
      for (const found of findValues(one.answer, one.target, (value) => isNeeded.has(value)))
        addSource(sources, { ...found, request: index });
    return (seen: readonly Exchange[]): Look =>
      lookIn(known, (number) => readResponse(seen[number]), secrets);
  });
  const cookies = cookiesFor(requests, (index, pair, seen) => {
    const look = looks[index]?.(seen);
    // A pair without `=` is a value without a name.
    const [, start = '', name = '', value = ''] = /^(([^=]*)=)?(.*)$/s.exec(pair) ?? [];
    return start + (look?.(value, { name, owners: [] }) ?? value);
  });
  return requests.map((one, index) => {
    if (one.bytes) return one;
    return (seen) => {
      const look = looks[index]?.(seen) ?? (() => undefined);
      const filled = one.fill?.(seen) ?? one;
      const sent = withValues(filled, look);
      return { ...sent, headers: withCookies(sent.headers, cookies[index]?.(seen, filled)) };
    };
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

/** Collects the values of a request that earlier responses may have. */
function valuesIn(one: RecordedRequest): Set<string> {
  const values = new Set<string>();
  const collect = (value: string): undefined => void values.add(value);
  withValues(one, collect);
  for (const [name, value] of one.headers)
    if (/^cookie$/i.test(name)) for (const [, text = ''] of value.matchAll(/=([^;]*)/g)) collect(text);
  return values;
}

function addSource(sources: Map<string, Source[]>, source: Source): void {
  const list = sources.get(source.value) ?? [];
  sources.set(source.value, list);
  list.push(source);
  if (list.length > FIRST + LATEST) list.splice(FIRST, 1);
}

/** Returns a function that reads the response of an exchange, each once: parsing takes time. */
function responseReader(): (exchange: Exchange | undefined) => RunResponse | undefined {
  const known = new WeakMap<object, RunResponse>();
  return (exchange) => {
    const response = exchange?.response;
    if (!exchange || !response) return undefined;
    const read = known.get(response);
    if (read) return read;
    const { headers = [], body = '' } = decodeExchange(exchange).response;
    const created = new RunResponse({ headers, body: String(body) });
    known.set(response, created);
    return created;
  };
}

function lookIn(
  known: ReadonlyMap<string, readonly Source[]>,
  responseTo: (request: number) => RunResponse | undefined,
  secrets: Secrets,
): Look {
  const carried = (value: string, use: Named): string | undefined => {
    for (const source of inOrder(known.get(value) ?? [], value, use)) {
      const response = responseTo(source.request);
      // The order of a list may differ between runs: what the list still has is still valid.
      if (source.isInList && response?.hasInList(source.place, value)) return value;
      const now = response?.at(source.place);
      if (now !== undefined) return now;
    }
    return secrets.get(value);
  };
  return (value, use) => {
    const replaced = carried(value, use) ?? unmask(value, (masked) => carried(masked, use));
    return replaced === value ? undefined : replaced;
  };
}

/** Sorts the sources of a value: the best fitting name first, then what is in no list, then the latest. */
function inOrder(sources: readonly Source[], value: string, use: Named): Source[] {
  const isAny = isToken(value);
  return sources
    .map((source) => ({ source, fits: howWell(use, source) }))
    .filter(({ fits }) => isAny || fits > 0)
    .sort(
      (one, other) =>
        other.fits - one.fits ||
        Number(one.source.isInList) - Number(other.source.isInList) ||
        other.source.request - one.source.request,
    )
    .map(({ source }) => source);
}
