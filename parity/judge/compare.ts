/**
 * Compares what was observed of two implementations, place by place. A place names one part of an observation, and
 * reports and divergences use this name:
 *
 *     lost: why the observation is missing, such as a process that ended
 *     built: `yes`, or the error of `build`
 *     1.status: status line of the first exchange
 *     1.headers: order and spelling of the header names that both sides have
 *     1.headers.etag: values of one header; `(absent)` on the side without it
 *     1.body 1.framing 1.trailers 1.interim 1.connection 1.fault 1.surplus: other parts of the first exchange
 *     1.uncaught: errors that the application did not catch during the exchange
 *     1.asked: the request that was sent; a scenario can build it from earlier exchanges
 *     log.2 stdout.1 stderr.1 deprecations.1 uncaught.1: one line, deprecation or error
 */
import type { Exchange, HeaderList } from '../client/messages';
import { bytesOf } from '../client/request';
import type { Observation } from '../implementations/protocol';

export interface Difference {
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
}

export const ABSENT = '(absent)';

export const WRITTEN = ['log', 'stdout', 'stderr', 'deprecations', 'uncaught'] as const;

export function compare(expected: Observation, actual: Observation): Difference[] {
  const a = toPlaces(expected);
  const b = toPlaces(actual);
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((place): Difference[] => {
    let [left, right] = [a.get(place), b.get(place)];
    if (left === right) return [];
    if (place.endsWith('.headers') && left !== undefined && right !== undefined) {
      [left, right] = [common(left, right), common(right, left)];
      if (left === right) return [];
    }
    return [{ place, expected: left ?? ABSENT, actual: right ?? ABSENT }];
  });
}

/** Returns all places of an observation with their values, in the order in which reports show them. */
export function toPlaces(observation: Observation): Map<string, string> {
  const { threw, lost, exchanges } = observation;
  if (lost !== undefined) return new Map([['lost', lost]]);
  if (threw !== undefined) return new Map([['built', `threw ${threw}`]]);
  const places = new Map([['built', 'yes']]);
  for (const [index, exchange] of exchanges.entries()) {
    for (const [place, value] of placesOf(exchange)) places.set(`${index + 1}.${place}`, value);
  }
  for (const name of WRITTEN) {
    for (const [index, line] of observation[name].entries())
      places.set(`${name}.${index + 1}`, JSON.stringify(line));
  }
  return places;
}

function* placesOf({
  request,
  response,
  outcome,
  fault,
  surplus,
  uncaught,
}: Exchange): Generator<[string, string]> {
  yield ['asked', toText(bytesOf(request))];
  if (response.status !== undefined)
    yield ['status', `${response.version} ${response.status} ${response.reason}`];
  if (response.headers) yield* headerPlaces('headers', response.headers);
  if (response.framing) yield ['framing', response.framing];
  if (response.body) yield ['body', toText(response.body)];
  if (response.trailers?.length) yield* headerPlaces('trailers', response.trailers);
  if (response.interim?.length) {
    yield [
      'interim',
      response.interim
        .map((head) => `${head.status} ${head.reason} ${JSON.stringify(head.headers)}`)
        .join('\n'),
    ];
  }
  yield ['connection', outcome];
  if (fault !== undefined) yield ['fault', fault];
  if (surplus) yield ['surplus', toText(surplus)];
  if (uncaught?.length) yield ['uncaught', uncaught.join('\n')];
}

function* headerPlaces(place: string, headers: HeaderList): Generator<[string, string]> {
  yield [place, headers.map(([name]) => name).join('\n')];
  const values = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const list = values.get(name.toLowerCase());
    if (list) list.push(value);
    else values.set(name.toLowerCase(), [value]);
  }
  for (const [name, list] of values) yield [`${place}.${name}`, list.join('\n')];
}

/** Keeps the header names of `own` that `other` also has. A missing header is reported at its own place. */
export function common(own: string, other: string): string {
  const there = new Set(other.toLowerCase().split('\n'));
  return own
    .split('\n')
    .filter((name) => there.has(name.toLowerCase()))
    .join('\n');
}

/** Formats bytes as text if they are UTF-8, otherwise as base64. */
function toText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : `base64 ${bytes.toString('base64')}`;
}
