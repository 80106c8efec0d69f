/** Content negotiation and the type of the request body: `req.accepts*`, `req.is`. §4.4 · RFC 9110 §12.5 */

import negotiator from 'accepts';
import typeIs from 'type-is';
import type { Part, Request } from '../types';

/** Without offers, returns what the client accepts, best first; else the preferred offer, or `false`. */
interface Accepts<Req> {
  (this: Req): string[];
  /** @param offers Separate arguments, or one array. */
  (this: Req, ...offers: Array<string | string[]>): string | false;
}

type Accepted = string[] | string | false;

/** Creates a method like `req.accepts`. */
export function acceptsMethod<Req>(
  accept: (req: Req, offers: Array<string | string[]>) => Accepted,
): Accepts<Req> {
  function acceptOffers(this: Req): string[];
  function acceptOffers(this: Req, ...offers: Array<string | string[]>): string | false;
  function acceptOffers(this: Req, ...offers: Array<string | string[]>): Accepted {
    return accept(this, offers);
  }
  return acceptOffers;
}

function acceptsOf(name: 'encodings' | 'charsets' | 'languages'): Accepts<Request> {
  return acceptsMethod<Request>((req, offers) => {
    const accepted = negotiator(req);
    return Reflect.apply(accepted[name], accepted, offers);
  });
}

type Negotiating = 'accepts' | 'acceptsCharsets' | 'acceptsEncodings' | 'acceptsLanguages' | 'is';

export const negotiate: Part<Request, Negotiating> = {
  /** @param types Media types or extensions: arguments, one array, or one string with commas. */
  accepts: acceptsMethod<Request>((req, types) => {
    if (Array.isArray(types[0])) return negotiator(req).types(types[0]);
    return negotiator(req).types(
      ...types.flatMap((type) => (isList(type) ? type.split(/(?<! ) *, */) : type)),
    );
  }),
  acceptsEncodings: acceptsOf('encodings'),
  acceptsCharsets: acceptsOf('charsets'),
  acceptsLanguages: acceptsOf('languages'),

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

function isList(type: unknown): type is string {
  return typeof type === 'string' && type.includes(',');
}
