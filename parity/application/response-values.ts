/**
 * Finds the places in recorded responses whose values later requests repeat, and reads the values at the same places in
 * the responses of a run. Each response is parsed only once.
 */
import { unescape as decodePercent } from 'node:querystring';
import type { HeaderList } from '../client/messages';
import { isToken, type Named, ownersOf, resourcesOf } from './names';
import { isJson, TOKENS } from './request-values';

/** The parts of a response in which values are looked for. */
export interface ResponseText {
  readonly headers: HeaderList;
  readonly body: string;
}

/** The place of a value in a text: after the nth occurrence of what comes before it. */
interface TextPlace {
  readonly before: string;
  readonly nth: number;
  /** The index of the pattern of `TOKENS` that matches the value. */
  readonly level: number;
}

export interface Place {
  readonly kind: 'cookie' | 'header' | 'json' | 'body';
  /** For a cookie or a header: its name. */
  readonly name?: string;
  /** For a header: its position among those with its name. */
  readonly nth?: number;
  /** For JSON: the members and positions that lead to the value. */
  readonly path?: ReadonlyArray<string | number>;
  /** The place in the text of the header, the JSON value or the body; default: all of it. */
  readonly within?: TextPlace;
}

export interface Found extends Named {
  readonly value: string;
  readonly place: Place;
  /** Whether the value belongs to an element of a list, whose order may differ between runs. */
  readonly isInList: boolean;
}

/** Headers that no request repeats. */
const NOT_CARRIED =
  /^(?:date|content-(?:length|type|encoding)|connection|keep-alive|vary|x-powered-by|location)$/i;
/** The number of characters before a value by which its place is found again. */
const CONTEXT = 40;

/**
 * Finds the values of a response that are needed.
 *
 * @param target The target of its request. It says what the ids of the response are those of.
 * @param isNeeded Whether a later request has this value.
 */
export function findValues(
  { headers, body }: ResponseText,
  target: string,
  isNeeded: (value: string) => boolean,
): Found[] {
  const resources = resourcesOf(target);
  const found: Found[] = [];
  const add = (value: string, place: Place, named: Named, isInList = false): void => {
    if (value !== '' && isNeeded(value)) found.push({ value, place, isInList, ...named });
  };
  const counts = new Map<string, number>();
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    const nth = counts.get(lower) ?? 0;
    counts.set(lower, nth + 1);
    if (lower === 'set-cookie') {
      const [, cookie = '', raw = ''] = /^([^=;]*)=([^;]*)/.exec(value) ?? [];
      add(decodePercent(raw), { kind: 'cookie', name: cookie }, { name: cookie, owners: [] });
      continue;
    }
    const place: Place = { kind: 'header', name: lower, nth };
    if (!NOT_CARRIED.test(lower)) add(value, place, { name: lower, owners: [] });
    if (lower === 'location' || lower === 'link') addFromText(value, place, add, isNeeded);
  }
  if (isJson(body) && /^\s*[[{"]/.test(body)) addLeaves(JSON.parse(body), resources, add, isNeeded);
  else addFromText(body, { kind: 'body' }, add, isNeeded);
  return found;
}

type Add = (value: string, place: Place, named: Named, isInList?: boolean) => void;

function addLeaves(
  root: unknown,
  resources: readonly string[],
  add: Add,
  isNeeded: (value: string) => boolean,
): void {
  const path: Array<string | number> = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      for (const [key, member] of Object.entries(value)) {
        path.push(isList ? Number(key) : key);
        visit(member);
        path.pop();
      }
      return;
    }
    if (typeof value !== 'string' && typeof value !== 'number') return;
    const text = String(value);
    const isLong = typeof value === 'string' && text.length > 8 && /[^\w-]/.test(text);
    if (!isLong && !isNeeded(text)) return;
    const names = path.filter((step) => typeof step === 'string');
    const name = names.at(-1);
    const isInList = path.some((step) => typeof step === 'number');
    const place: Place = { kind: 'json', path: [...path] };
    const owners = ownersOf(name, [...resources, ...names.slice(0, -1)]);
    add(text, place, { name, owners }, isInList);
    if (isLong) addFromText(text, place, (one, at, named) => add(one, at, named, isInList), isNeeded);
  };
  visit(root);
}

/** Finds tokens in a text, ids in the paths of its links, and the fields of its forms. */
function addFromText(text: string, place: Place, add: Add, isNeeded: (value: string) => boolean): void {
  const within = (index: number, level: number): Place => ({
    ...place,
    within: placeIn(text, index, level),
  });
  for (const [level, pattern] of TOKENS.entries())
    for (const { 0: token, index } of text.matchAll(pattern)) {
      const value = token.includes('%') ? decodePercent(token) : token;
      if (isToken(value) && isNeeded(value))
        add(value, within(index, level), { name: undefined, owners: [] });
    }
  for (const { 1: resource = '', 2: id = '', index } of text.matchAll(
    /([a-z][\w-]*)\/([\w-]{1,7})(?![\w-])/gi,
  ))
    if (isNeeded(id))
      add(id, within(index + resource.length + 1, 2), {
        name: undefined,
        owners: ownersOf(undefined, [resource]),
      });
  if (!text.includes('<')) return;
  for (const { 0: tag, index } of text.matchAll(/<(?:input|meta|button|option)\b[^>]*>/gi)) {
    const [, name] = /\sname=["']?([^\s"'>]+)/i.exec(tag) ?? [];
    const attribute = /\s(?:value|content)=["']?([^\s"'>]+)/i.exec(tag);
    if (name === undefined || !attribute) continue;
    const [whole, value = ''] = attribute;
    if (isNeeded(value))
      add(value, within(index + attribute.index + whole.length - value.length, 0), {
        name,
        owners: ownersOf(name, []),
      });
  }
}

/** Describes a position by the text before it, without the values in that text, which differ in each run. */
function placeIn(text: string, index: number, level: number): TextPlace {
  const before = text
    .slice(Math.max(0, index - CONTEXT), index)
    .replace(/^.*(?:\d|masked-)[\w.~%+/=@-]*(?=\W)/s, '');
  let nth = 0;
  if (before !== '')
    for (
      let at = text.indexOf(before);
      at >= 0 && at + before.length < index;
      at = text.indexOf(before, at + 1)
    )
      nth++;
  return { before, nth, level };
}

/** A response of a run, whose JSON is parsed once. */
export class RunResponse {
  readonly #headers: HeaderList;
  readonly #body: string;
  #json: { readonly value: unknown } | undefined;

  constructor({ headers, body }: ResponseText) {
    this.#headers = headers;
    this.#body = body;
  }

  /** Returns what the run has at a place; undefined if it has nothing there. */
  at({ kind, name = '', nth = 0, path = [], within }: Place): string | undefined {
    const whole =
      kind === 'body' ? this.#body : kind === 'json' ? this.#leaf(path) : this.#header(kind, name, nth);
    if (whole === undefined || !within) return whole;
    return valueIn(whole, within);
  }

  /** Whether an element of the list at a place has this value in the same member. */
  hasInList({ kind, path = [] }: Place, value: string): boolean {
    if (kind !== 'json') return false;
    let values: unknown[] = [this.#parsed()];
    for (const step of path)
      values = values.flatMap((one) => {
        if (typeof one !== 'object' || one === null) return [];
        return typeof step === 'number' ? Object.values(one) : [(one as Record<string, unknown>)[step]];
      });
    return values.some((one) => String(one) === value);
  }

  #header(kind: 'cookie' | 'header', name: string, nth: number): string | undefined {
    if (kind === 'cookie') {
      const pairs = this.#headers.flatMap(([header, value]) =>
        /^set-cookie$/i.test(header) && value.startsWith(`${name}=`) ? [value.split(';', 1)[0] ?? ''] : [],
      );
      const last = pairs.at(-1);
      return last === undefined ? undefined : decodePercent(last.slice(name.length + 1));
    }
    return this.#headers.filter(([header]) => header.toLowerCase() === name)[nth]?.[1];
  }

  #parsed(): unknown {
    this.#json ??= { value: isJson(this.#body) ? JSON.parse(this.#body) : undefined };
    return this.#json.value;
  }

  #leaf(path: ReadonlyArray<string | number>): string | undefined {
    let value = this.#parsed();
    for (const step of path) {
      if (typeof value !== 'object' || value === null) return undefined;
      value = (value as Record<string | number, unknown>)[step];
    }
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  }
}

function valueIn(text: string, { before, nth, level }: TextPlace): string | undefined {
  let at = before === '' ? 0 : text.indexOf(before);
  for (let count = 0; count < nth && at >= 0; count++) at = text.indexOf(before, at + 1);
  if (at < 0) return undefined;
  const pattern = TOKENS[level] as RegExp;
  const [token] =
    new RegExp(`^${pattern.source}`).exec(text.slice(at + before.length, at + before.length + 4096)) ?? [];
  return token?.includes('%') ? decodePercent(token) : token;
}
