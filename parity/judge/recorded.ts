/**
 * Compares a response of the baseline in a replay with the recorded response. Reports only differences which show that
 * the replay ran under other conditions than the recording: a failed login, an empty list, an error in place of a result,
 * another page. Ids, times and data may differ.
 */
import type { Exchange, HeaderList } from '../client/messages';
import { headerOf } from '../client/response';
import { withoutFrames } from './normalise';

/** A recorded response. A file may omit its body. */
export interface RecordedResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string;
}

/** A value of JSON by its place: `.user.name`, `.rows[].id`. */
type Leaves = ReadonlyMap<string, ReadonlySet<unknown>>;

/** Stands for an object, a list with elements and an empty list, and a text or number that differs between runs. */
const [OBJECT, LIST, EMPTY, VALUE] = ['{…}', '[…]', '[]', '…'];
/** The number of values in which differences are looked for; more say little. */
const MAX_VALUES_COMPARED = 2000;
/** Media types of texts. */
const TEXT = /^text\/|json|xml|javascript|urlencoded|graphql|yaml|csv/;
/** Two pages with fewer common words are different pages. */
const MIN_SIMILARITY = 0.5;

/**
 * Finds out how the baseline responded otherwise than in the recording.
 *
 * @param runs The responses of all runs. What varies among them is no deviation.
 * @returns Such as `200 → 401`; undefined if the response is like the recorded one.
 */
export function deviationFrom(recorded: RecordedResponse, runs: readonly Exchange[]): string | undefined {
  const [first] = runs;
  const { status, headers = [] } = first?.response ?? {};
  if (status !== recorded.status) return `${recorded.status} → ${status ?? 'no response'}`;
  const [expected, actual] = [recorded.headers, headers].map((list) => typeOf(list));
  if (expected && actual && expected !== actual) return `${expected} → ${actual}`;
  const targets = [recorded.headers, headers].map((list) => targetOf(headerOf(list, 'location')));
  if (targets[0] !== undefined && targets[0] !== targets[1])
    return `Location ${targets[0]} → ${targets[1] ?? '(absent)'}`;
  const bodies = runs.map(({ response }) => String(response.body ?? ''));
  if (recorded.body === '' || first?.response.body === undefined) return undefined;
  // A recording has other bytes in place of those that are not text.
  const isText = expected === undefined || TEXT.test(expected);
  const differing = bodies.map((body) => bodyDeviation(recorded.body, body, isText));
  // What varies between the runs is no other condition.
  return differing.every((one) => one !== undefined && one === differing[0]) ? differing[0] : undefined;
}

function typeOf(headers: HeaderList): string | undefined {
  return headerOf(headers, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase();
}

/** Returns the path and the query of a Location without origin and ids: `/notes/*`, `/login?error=*`. */
function targetOf(location: string | undefined): string | undefined {
  return location
    ?.replace(/^https?:\/\/[^/?#]*/, '')
    .replace(/[^/?&=#]+/g, (part) => (/\d|masked|.{16}/.test(part) ? '*' : part));
}

function bodyDeviation(recorded: string, body: string, isText: boolean): string | undefined {
  if (body === '') return 'empty body';
  const [expected, actual] = [recorded, body].map(parseJson);
  if (expected === undefined || actual === undefined)
    return isText ? pageDeviation(recorded, body) : undefined;
  const [before, after] = [leavesOf(expected), leavesOf(actual)] as const;
  for (const [place, values] of before) {
    const now = after.get(place);
    if (now === undefined) {
      // A member of an element of a list, or of an object by ids, may be another one.
      if (isCertain(place)) return `body without ${nameOf(place)}`;
      continue;
    }
    const [value] = values;
    const [other] = now;
    if (values.has(LIST) && !now.has(LIST)) return `${nameOf(place)} is ${String(other)}`;
    const isOther = values.size === 1 && now.size === 1 && value !== other && value !== EMPTY;
    if (isOther && isCertain(place) && !areData(value, other))
      return `${nameOf(place)} ${short(value)} → ${short(other)}`;
  }
  const added = [...after.keys()].find(
    (place) => !before.has(place) && isCertain(place) && depthOf(place) === 1,
  );
  return added === undefined ? undefined : `body with ${nameOf(added)}`;
}

function nameOf(place: string): string {
  return place === '' ? 'body' : place.slice(1);
}

function short(value: unknown): string {
  const text = String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function depthOf(place: string): number {
  return place.split('.').length - 1;
}

/** Whether a place does not depend on data: outside of lists, without ids as names. */
function isCertain(place: string): boolean {
  return !place.includes('[]') && !/\d|masked|[^.]{20}/.test(place);
}

/** Collects what stands at each place. A number, and a text that may be data, are `VALUE`. */
function leavesOf(json: unknown): Leaves {
  const leaves = new Map<string, Set<unknown>>();
  const add = (value: unknown, place: string): void => {
    if (leaves.size >= MAX_VALUES_COMPARED) return;
    const found = leaves.get(place) ?? new Set();
    leaves.set(place, found);
    if (Array.isArray(value)) {
      found.add(value.length === 0 ? EMPTY : LIST);
      for (const one of value.slice(0, 50)) add(one, `${place}[]`);
    } else if (typeof value === 'object' && value !== null) {
      found.add(OBJECT);
      for (const [name, member] of Object.entries(value)) add(member, `${place}.${name}`);
    } else found.add(isWords(value) ? value : VALUE);
  };
  add(json, '');
  return leaves;
}

/** Whether a value is the same in each run: a boolean, null or words. */
function isWords(value: unknown): boolean {
  return (
    typeof value === 'boolean' || value === null || /^[a-z]+(?:[ .,!:'-]+[a-z]+)*[.!?]?$/i.test(String(value))
  );
}

/** Whether both are texts or numbers, of which at least one may be data. */
function areData(one: unknown, other: unknown): boolean {
  return (
    [one, other].includes(VALUE) &&
    typeof one === 'string' &&
    typeof other === 'string' &&
    one !== OBJECT &&
    other !== OBJECT &&
    one !== LIST &&
    other !== LIST
  );
}

function pageDeviation(recorded: string, body: string): string | undefined {
  const [before, after] = [recorded, body].map((text) => wordsOf(withoutFrames(text))) as [
    Set<string>,
    Set<string>,
  ];
  const all = new Set([...before, ...after]);
  const common = [...before].filter((word) => after.has(word));
  return all.size > 0 && common.length / all.size < MIN_SIMILARITY ? 'another page' : undefined;
}

/** A token, or what stands for a masked one: letters between dashes are no words. */
const ID = /\bmasked-\w+|[\w+/=-]{16,}/g;

/** Returns the words of a text or a page, without ids. */
function wordsOf(text: string): Set<string> {
  const words =
    text
      .slice(0, 100_000)
      .replace(ID, ' ')
      .match(/[\p{L}\d]+/gu) ?? [];
  return new Set(words.filter((word) => /^\p{L}{2,15}$/u.test(word) && word !== 'masked'));
}

function parseJson(text: string): unknown {
  if (!/^\s*(?:[[{"\d-]|true|false|null)/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
