/**
 * `req.accepts`, `req.acceptsEncodings`, `req.acceptsCharsets` and `req.acceptsLanguages`, by the rules of accepts 1.3
 * and negotiator 0.6, which skip malformed values of a header. E4-E8, E4-E9, E4-E10, E4-E18 · RFC 9110 §12.5
 */
import { listOf } from '../request/negotiate';
import type { Part } from '../types';
import { toMediaType } from './extension';
import type { Request } from './types';

/** A value of a header, or an offer of the application. */
interface Entry {
  readonly value: string;
  /** `NaN` if the parameter `q` is not a number. */
  readonly quality: number;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** The rules for the values of one header. */
interface Rules {
  readonly header: 'accept' | 'accept-charset' | 'accept-encoding' | 'accept-language';
  /** The value that stands for a missing header. */
  readonly missing: string;
  split(field: string): string[];
  read(text: string): Entry | undefined;
  readOffer(text: string): Entry | undefined;
  /** How exactly an entry of the header describes an offer: higher is more exact. Undefined if it does not. */
  exactness(entry: Entry, offer: Entry): number | undefined;
}

/** An entry of the header that accepts a value. */
interface Choice {
  readonly value: string;
  readonly quality: number;
  readonly exactness: number;
  readonly position: number;
}

const TOKEN = /^([^\s;]+)\s*(?:;(.*))?$/;
const LANGUAGE = /^\s*([^\s;-]+(?:-[^\s;]+)?)\s*(?:;(.*))?$/;
const TYPE = /^\s*([^\s/;]+\/[^\s;]+)\s*(?:;(.*))?$/;

const charsets: Rules = {
  header: 'accept-charset',
  missing: '*',
  split: (field) => field.split(','),
  readOffer: (text) => ({ value: text, quality: 1 }),

  read(text) {
    const [, value, parameters = ''] = TOKEN.exec(text) ?? [];
    const weight = parameters
      .split(';')
      .map(toPair)
      .find(([name]) => name === 'q');
    return value === undefined ? undefined : { value, quality: weight ? Number.parseFloat(weight[1]) : 1 };
  },

  exactness(entry, offer) {
    if (entry.value.toLowerCase() === offer.value.toLowerCase()) return 1;
    return entry.value === '*' ? 0 : undefined;
  },
};

const encodings: Rules = { ...charsets, header: 'accept-encoding', missing: '' };

const languages: Rules = {
  header: 'accept-language',
  missing: '*',
  split: charsets.split,
  readOffer: readLanguage,
  read: readLanguage,

  exactness(entry, offer) {
    const [wanted, offered] = [entry.value.toLowerCase(), offer.value.toLowerCase()];
    if (wanted === offered) return 4;
    if (wanted.split('-', 1)[0] === offered) return 2;
    if (wanted === offered.split('-', 1)[0]) return 1;
    return wanted === '*' ? 0 : undefined;
  },
};

const types: Rules = {
  header: 'accept',
  missing: '*/*',
  split: (field) => splitUnquoted(field, ','),
  readOffer: readType,
  read: readType,

  exactness(entry, offer) {
    const [type, subtype] = splitOnce(entry.value.toLowerCase(), '/');
    const [offeredType, offeredSubtype] = splitOnce(offer.value.toLowerCase(), '/');
    if (type !== offeredType && type !== '*') return undefined;
    if (subtype !== offeredSubtype && subtype !== '*') return undefined;
    const wanted = Object.entries(entry.parameters ?? {});
    for (const [name, value] of wanted) {
      const offered = offer.parameters?.[name] ?? '';
      if (value !== '*' && value.toLowerCase() !== offered.toLowerCase()) return undefined;
    }
    return (
      (type === offeredType ? 4 : 0) + (subtype === offeredSubtype ? 2 : 0) + (wanted.length > 0 ? 1 : 0)
    );
  },
};

export const negotiate: Part<
  Request,
  'accepts' | 'acceptsEncodings' | 'acceptsCharsets' | 'acceptsLanguages'
> = {
  accepts: compile(types, (req, offers) => {
    if (!req.headers.accept) return offers[0] ?? false;
    // The result is spelled as the application passed it: as a file extension, or as a media type.
    const known = offers.map((offer) => (offer.includes('/') ? offer : toMediaType(offer)));
    const [best = false] = acceptedBy(
      req,
      types,
      known.filter((type) => type !== false),
    );
    return best && (offers[known.indexOf(best)] ?? false);
  }),
  acceptsEncodings: compile(encodings),
  acceptsCharsets: compile(charsets),
  acceptsLanguages: compile(languages),
};

interface Accepts {
  (this: Request): string[];
  (this: Request, ...given: Array<string | string[]>): string | false;
}

/**
 * Creates a method that returns the offer that the client prefers, or `false` if it accepts none. Without an offer, the
 * method returns all values of the header, best first.
 */
function compile(
  rules: Rules,
  choose = (req: Request, offers: readonly string[]): string | false =>
    acceptedBy(req, rules, offers)[0] || false,
): Accepts {
  function accepts(this: Request): string[];
  function accepts(this: Request, ...given: Array<string | string[]>): string | false;
  function accepts(this: Request, ...given: Array<string | string[]>): string[] | string | false {
    const offers = listOf(given);
    // As in Express, `''` in place of the first offer means that there is none.
    return given[0] && offers.length > 0 ? choose(this, offers) : acceptedBy(this, rules);
  }
  return accepts;
}

/** Returns the offers that the client accepts, best first. Without offers, returns the values of the header. */
function acceptedBy(req: Request, rules: Rules, offers?: readonly string[]): string[] {
  const field = String(req.headers[rules.header] ?? rules.missing);
  const entries = rules.split(field).map((text) => rules.read(text.trim()));
  if (rules === encodings) addIdentity(entries);
  const choices: Array<Choice | undefined> = offers
    ? offers.map((offer) => findBest(offer, entries, rules))
    : entries.map((entry, position) => entry && { ...entry, exactness: 0, position });
  return choices
    .filter((choice) => choice !== undefined)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || b.exactness - a.exactness || a.position - b.position)
    .map(({ value }) => value);
}

/** Returns the entry that describes an offer most exactly. */
function findBest(
  value: string,
  entries: ReadonlyArray<Entry | undefined>,
  { readOffer, exactness }: Rules,
): Choice | undefined {
  const offer = readOffer(value);
  let best: Choice | undefined;
  if (!offer) return undefined;
  for (const [position, entry] of entries.entries()) {
    const found = entry && exactness(entry, offer);
    if (entry === undefined || found === undefined) continue;
    // Of two that are alike, the later one counts.
    if (!best || (found - best.exactness || entry.quality - best.quality || 1) > 0)
      best = { value, quality: entry.quality, exactness: found, position };
  }
  return best;
}

/** Adds `identity` with the lowest quality of the header, unless the header describes it. RFC 9110 §12.5.3 */
function addIdentity(entries: Array<Entry | undefined>): void {
  const known = entries.filter((entry) => entry !== undefined);
  const least = known.reduce((found, { quality }) => Math.min(found, quality || 1), 1);
  const identity = { value: 'identity', quality: least };
  if (known.every((entry) => encodings.exactness(entry, identity) === undefined)) entries.push(identity);
}

function readLanguage(text: string): Entry | undefined {
  const [, value, parameters = ''] = LANGUAGE.exec(text) ?? [];
  if (value === undefined) return undefined;
  // As in negotiator 0.6, a space before `q` hides it, and the last one counts.
  const weight = parameters
    .split(';')
    .map((text) => text.split('='))
    .findLast(([name]) => name === 'q');
  return { value, quality: weight ? Number.parseFloat(weight[1] ?? '') : 1 };
}

function readType(text: string): Entry | undefined {
  const [, value, rest] = TYPE.exec(text) ?? [];
  if (value === undefined) return undefined;
  // Without a prototype, because the client chooses the names.
  const parameters: Record<string, string> = Object.create(null);
  for (const parameter of rest ? splitUnquoted(rest, ';') : []) {
    const [name, text] = splitOnce(parameter.trim(), '=');
    const content = /^"(.*)"$/s.exec(text)?.[1] ?? text;
    // What follows `q` is not compared.
    if (name.toLowerCase() === 'q') return { value, quality: Number.parseFloat(content), parameters };
    parameters[name.toLowerCase()] = content;
  }
  return { value, quality: 1, parameters };
}

function toPair(text: string): [name: string, value: string] {
  const [name = '', value = ''] = text.trim().split('=');
  return [name, value];
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Splits a text at the separators that are not in quotes. */
function splitUnquoted(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === separator && !isQuoted) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
