/** Content negotiation and the type of the request body: `req.accepts*`, `req.is`. §4.4 · RFC 9110 §12.5 */
import type { Part, Request } from '../types';
import { lazy } from '../wire/lazy';

const negotiator = lazy<typeof import('accepts')>(() => require('accepts'));
const typeIs = lazy<typeof import('type-is')>(() => require('type-is'));

/** The values as separate arguments, or as one array. */
type Offers = string[] | [string[]];

/**
 * The offered type that the client prefers, as it was passed; `false` if the client accepts none. Without an
 * argument, all types of the header `Accept`, best first.
 *
 * @param types Media types or extensions: a list, or one string with commas.
 */
function accepts(this: Request): string[];
function accepts(this: Request, ...types: Offers): string | false;
function accepts(this: Request, ...types: Offers): string[] | string | false {
  if (isOneArray(types)) return negotiator()(this).types(types[0]);
  const offers = types.flatMap((type) => (isList(type) ? type.split(/ *, */) : type));
  return negotiator()(this).types(...offers);
}

function acceptsEncodings(this: Request): string[];
function acceptsEncodings(this: Request, ...encodings: Offers): string | false;
function acceptsEncodings(this: Request, ...encodings: Offers): string[] | string | false {
  const accepted = negotiator()(this);
  return isOneArray(encodings) ? accepted.encodings(encodings[0]) : accepted.encodings(...encodings);
}

function acceptsCharsets(this: Request): string[];
function acceptsCharsets(this: Request, ...charsets: Offers): string | false;
function acceptsCharsets(this: Request, ...charsets: Offers): string[] | string | false {
  const accepted = negotiator()(this);
  return isOneArray(charsets) ? accepted.charsets(charsets[0]) : accepted.charsets(...charsets);
}

function acceptsLanguages(this: Request): string[];
function acceptsLanguages(this: Request, ...languages: Offers): string | false;
function acceptsLanguages(this: Request, ...languages: Offers): string[] | string | false {
  const accepted = negotiator()(this);
  return isOneArray(languages) ? accepted.languages(languages[0]) : accepted.languages(...languages);
}

type Negotiating = 'accepts' | 'acceptsCharsets' | 'acceptsEncodings' | 'acceptsLanguages' | 'is';

export const negotiate: Part<Request, Negotiating> = {
  accepts,
  acceptsEncodings,
  acceptsCharsets,
  acceptsLanguages,

  /**
   * The first of the types that the request body has; `false` for none, `null` without a body. A media type or
   * wildcard gives the body's content type, an extension gives the extension.
   */
  is(...types) {
    return typeIs()(this, listOf(types));
  },
};

/** The values as one list. */
export function listOf(given: ReadonlyArray<string | string[]>): string[] {
  const [first] = given;
  // Express also ignores arrays after the first value; passing several is an application error.
  return Array.isArray(first) ? first : (given as string[]);
}

function isOneArray(offers: Offers): offers is [string[]] {
  return Array.isArray(offers[0]);
}

function isList(type: unknown): type is string {
  return typeof type === 'string' && type.includes(',');
}
