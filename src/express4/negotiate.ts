/**
 * `req.accepts`, `req.acceptsEncodings`, `req.acceptsCharsets` and `req.acceptsLanguages`, by the rules of accepts 1.3
 * and negotiator 0.6, which skip malformed values of a header. E4-E8, E4-E9, E4-E10, E4-E18 · RFC 9110 §12.5
 */
import { listOf } from '../request/negotiate';
import type { Part } from '../types';
import { lookupType } from './lookup-type';
import type { Request } from './types';

/** A value of a header, or an offer of the application. */
interface Entry {
  /** As written, without parameters. */
  readonly value: string;
  /** In lower case, like `head` and `tail`. */
  readonly full: string;
  /** A media type up to its slash, or a language up to its first hyphen. */
  readonly head: string;
  /** A media type after its slash. */
  readonly tail: string;
  /** `NaN` if the parameter `q` is not a number. */
  readonly quality: number;
  /** Only for media types. */
  readonly parameters: Readonly<Record<string, string>> | undefined;
}

interface Rules {
  readonly header: 'accept' | 'accept-charset' | 'accept-encoding' | 'accept-language';
  /** The value that stands for a missing header. */
  readonly missing: string;
  split(field: string): string[];
  read(text: string): Entry | undefined;
  readOffer(text: string): Entry | undefined;
  /** How exactly an entry of the header describes an offer: higher is more exact. -1 if it does not. */
  exactness(entry: Entry, offer: Entry): number;
}

/** The entry that accepts an offer. */
interface Choice {
  readonly offer: string;
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
  readOffer: (text) => toEntry(text, '', 1),

  read(text) {
    const found = TOKEN.exec(text);
    return found ? toEntry(found[1] ?? '', '', firstQuality(found[2])) : undefined;
  },

  exactness(entry, offer) {
    if (entry.full === offer.full) return 1;
    return entry.full === '*' ? 0 : -1;
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
    if (entry.full === offer.full) return 4;
    if (entry.head === offer.full) return 2;
    if (entry.full === offer.head) return 1;
    return entry.full === '*' ? 0 : -1;
  },
};

const types: Rules = {
  header: 'accept',
  missing: '*/*',
  split: (field) => splitUnquoted(field, ','),
  readOffer: readType,
  read: readType,

  exactness({ head, tail, parameters }, offer) {
    const hasType = head === offer.head;
    const hasSubtype = tail === offer.tail;
    if (!((hasType || head === '*') && (hasSubtype || tail === '*'))) return -1;
    for (const name in parameters) {
      const value = parameters[name] ?? '';
      const offered = offer.parameters?.[name] ?? '';
      if (value !== '*' && value.toLowerCase() !== offered.toLowerCase()) return -1;
    }
    return (hasType ? 4 : 0) + (hasSubtype ? 2 : 0) + (parameters ? 1 : 0);
  },
};

export const negotiate: Part<
  Request,
  'accepts' | 'acceptsEncodings' | 'acceptsCharsets' | 'acceptsLanguages'
> = {
  accepts: compile(types, (req, offers) => {
    if (!req.headers.accept) return offers[0] ?? false;
    // The result is spelled as the application passed it: as a file extension, or as a media type.
    const known = offers.map((offer) => (offer.includes('/') ? offer : lookupType(offer)));
    const best = pickPreferred(req, types, known);
    return best !== false && (offers[known.indexOf(best)] ?? false);
  }),
  acceptsEncodings: compile(encodings),
  acceptsCharsets: compile(charsets),
  acceptsLanguages: compile(languages),
};

interface Accepts {
  (this: Request): string[];
  (this: Request, ...given: Array<string | string[]>): string | false;
}

/** Creates a method that returns the preferred offer or `false`; without an offer, all values, best first. */
function compile(
  rules: Rules,
  choose = (req: Request, offers: readonly string[]): string | false =>
    pickPreferred(req, rules, offers) || false,
): Accepts {
  function accepts(this: Request): string[];
  function accepts(this: Request, ...given: Array<string | string[]>): string | false;
  function accepts(this: Request, ...given: Array<string | string[]>): string[] | string | false {
    const offers = listOf(given);
    // As in Express, `''` in place of the first offer means that there is none.
    return given[0] && offers.length > 0 ? choose(this, offers) : listAccepted(this, rules);
  }
  return accepts;
}

function readEntries(req: Request, rules: Rules): Array<Entry | undefined> {
  const field = req.headers[rules.header] ?? rules.missing;
  const entries = rules.split(String(field)).map((text) => rules.read(text.trim()));
  if (rules === encodings) addIdentity(entries);
  return entries;
}

/** Returns the values of the header that have a quality, best first. */
function listAccepted(req: Request, rules: Rules): string[] {
  return readEntries(req, rules)
    .filter((entry) => entry !== undefined)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ value }) => value);
}

/** Returns the offer that the client prefers. An offer that is `false` is skipped. */
function pickPreferred(req: Request, rules: Rules, offers: ReadonlyArray<string | false>): string | false {
  const entries = readEntries(req, rules);
  let best: Choice | undefined;
  for (const offer of offers) {
    const choice = offer === false ? undefined : findEntry(offer, entries, rules);
    if (choice && choice.quality > 0 && (!best || compare(choice, best) < 0)) best = choice;
  }
  return best ? best.offer : false;
}

function compare(a: Choice, b: Choice): number {
  return b.quality - a.quality || b.exactness - a.exactness || a.position - b.position;
}

/** Returns the entry that describes an offer most exactly. */
function findEntry(
  offer: string,
  entries: ReadonlyArray<Entry | undefined>,
  { readOffer, exactness }: Rules,
): Choice | undefined {
  const read = readOffer(offer);
  if (!read) return undefined;
  let best: Entry | undefined;
  let most = -1;
  let position = -1;
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i];
    const found = entry ? exactness(entry, read) : -1;
    if (!entry || found < 0) continue;
    // Of two entries that are alike, the later one counts.
    if (best && (found - most || entry.quality - best.quality || 1) < 0) continue;
    best = entry;
    most = found;
    position = i;
  }
  return best && { offer, quality: best.quality, exactness: most, position };
}

/** Adds `identity` with the lowest quality of the header, unless the header describes it. RFC 9110 §12.5.3 */
function addIdentity(entries: Array<Entry | undefined>): void {
  let least = 1;
  for (const entry of entries) {
    if (!entry) continue;
    if (entry.full === 'identity' || entry.full === '*') return;
    least = Math.min(least, entry.quality || 1);
  }
  entries.push(toEntry('identity', '', least));
}

function readLanguage(text: string): Entry | undefined {
  const found = LANGUAGE.exec(text);
  return found ? toEntry(found[1] ?? '', '-', lastQuality(found[2])) : undefined;
}

function readType(text: string): Entry | undefined {
  const found = TYPE.exec(text);
  if (!found) return undefined;
  const [, value = '', rest] = found;
  if (!rest) return toEntry(value, '/', 1);
  // Without a prototype, because the client chooses the names.
  const parameters: Record<string, string> = Object.create(null);
  let hasParameters = false;
  for (const parameter of splitUnquoted(rest, ';')) {
    const [name, text] = splitOnce(parameter.trim(), '=');
    const content = /^"(.*)"$/s.exec(text)?.[1] ?? text;
    const key = name.toLowerCase();
    // What follows `q` is not compared.
    if (key === 'q')
      return toEntry(value, '/', Number.parseFloat(content), hasParameters ? parameters : undefined);
    parameters[key] = content;
    hasParameters = true;
  }
  return toEntry(value, '/', 1, parameters);
}

function toEntry(
  value: string,
  separator: string,
  quality: number,
  parameters: Entry['parameters'] = undefined,
): Entry {
  const full = value.toLowerCase();
  const at = separator ? full.indexOf(separator) : -1;
  const head = at === -1 ? full : full.slice(0, at);
  return { value, full, head, tail: at === -1 ? '' : full.slice(at + 1), quality, parameters };
}

function firstQuality(parameters: string | undefined): number {
  for (const parameter of parameters ? parameters.split(';') : []) {
    const [name, value = ''] = parameter.trim().split('=');
    if (name === 'q') return Number.parseFloat(value);
  }
  return 1;
}

/** Returns the last `q` that no space precedes, as negotiator 0.6 does for languages. */
function lastQuality(parameters: string | undefined): number {
  let quality = 1;
  for (const parameter of parameters ? parameters.split(';') : []) {
    const [name, value = ''] = parameter.split('=');
    if (name === 'q') quality = Number.parseFloat(value);
  }
  return quality;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Splits a text at the separators that are not in quotes. */
function splitUnquoted(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator);
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
