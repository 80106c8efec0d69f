/** Content negotiation and the type of the request body: `req.accepts*`, `req.is`. §4.4 · RFC 9110 §12.5 */

import negotiator from 'accepts';
import typeIs from 'type-is';
import type { Part, Request } from '../types';

/** The offered values: separate arguments, or one array. */
type Offers = string[] | [string[]];

/**
 * Returns the offered type that the client prefers, or `false` if the client accepts none. Without an argument, returns
 * all types in the header `Accept`, best first.
 *
 * @param types Media types or extensions: arguments, one array, or one string with commas.
 */
function accepts(this: Request): string[];
function accepts(this: Request, ...types: Offers): string | false;
function accepts(this: Request, ...types: Offers): string[] | string | false {
  if (isOneArray(types)) return negotiator(this).types(types[0]);
  const offers = types.flatMap((type) => (isList(type) ? type.split(/ *, */) : type));
  return negotiator(this).types(...offers);
}

function acceptsEncodings(this: Request): string[];
function acceptsEncodings(this: Request, ...encodings: Offers): string | false;
function acceptsEncodings(this: Request, ...encodings: Offers): string[] | string | false {
  const accepted = negotiator(this);
  return isOneArray(encodings) ? accepted.encodings(encodings[0]) : accepted.encodings(...encodings);
}

function acceptsCharsets(this: Request): string[];
function acceptsCharsets(this: Request, ...charsets: Offers): string | false;
function acceptsCharsets(this: Request, ...charsets: Offers): string[] | string | false {
  const accepted = negotiator(this);
  return isOneArray(charsets) ? accepted.charsets(charsets[0]) : accepted.charsets(...charsets);
}

function acceptsLanguages(this: Request): string[];
function acceptsLanguages(this: Request, ...languages: Offers): string | false;
function acceptsLanguages(this: Request, ...languages: Offers): string[] | string | false {
  const accepted = negotiator(this);
  return isOneArray(languages) ? accepted.languages(languages[0]) : accepted.languages(...languages);
}

type Negotiating = 'accepts' | 'acceptsCharsets' | 'acceptsEncodings' | 'acceptsLanguages' | 'is';

export const negotiate: Part<Request, Negotiating> = {
  accepts,
  acceptsEncodings,
  acceptsCharsets,
  acceptsLanguages,

  /**
   * Returns the first of the types that matches the request body; `false` if none matches, `null` if there is no body.
   * For a wildcard or a suffix such as `+json`, the result is the content type of the body. Without types, it is the
   * content type, too.
   */
  is(...types) {
    return typeIs(this, listOf(types));
  },
};

/** Returns the values as one list, whether they were passed as arguments or as an array. */
export function listOf(given: ReadonlyArray<string | string[]>): string[] {
  const [first] = given;
  // A cast: several arrays are an error of the application. Express, too, only reads the first.
  return Array.isArray(first) ? first : (given as string[]);
}

function isOneArray(offers: Offers): offers is [string[]] {
  return Array.isArray(offers[0]);
}

function isList(type: unknown): type is string {
  return typeof type === 'string' && type.includes(',');
}
