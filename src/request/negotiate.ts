/**
 * What the client accepts and what it sent: `req.accepts*`, `req.is`. §4.4 · RFC 9110 §12.5
 */
import type { Request } from '../types';
import { lazy } from '../wire/lazy';

const accepts = lazy(() => require('accepts') as typeof import('accepts'));
const typeIs = lazy(() => require('type-is') as typeof import('type-is'));

export const negotiate: object & ThisType<Request> = {
  /**
   * The best of the types offered, as it was offered; `false` when none is acceptable. Without an offer, all
   * types of the field `Accept`, best first.
   *
   * @param types Media types or extensions; lists, also with commas in one string.
   */
  accepts(...types: Array<string | string[]>) {
    if (Array.isArray(types[0])) return accepts()(this).types(types[0]);
    const offers = (types as string[]).flatMap((type) => (isList(type) ? type.split(/ *, */) : type));
    return accepts()(this).types(...offers);
  },

  acceptsEncodings(...encodings: string[]) {
    return accepts()(this).encodings(...encodings);
  },

  acceptsCharsets(...charsets: string[]) {
    return accepts()(this).charsets(...charsets);
  },

  acceptsLanguages(...languages: string[]) {
    return accepts()(this).languages(...languages);
  },

  /**
   * Whether the body is of one of the types: the type that matched, `false`, or `null` without a body. A media
   * type or wildcard gives the content type, an extension gives itself.
   */
  is(...types: Array<string | string[]>) {
    return typeIs()(this, (Array.isArray(types[0]) ? types[0] : types) as string[]);
  },
};

function isList(type: unknown): type is string {
  return typeof type === 'string' && type.includes(',');
}
