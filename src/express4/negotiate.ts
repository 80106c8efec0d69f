/**
 * `req.accepts`, `req.acceptsEncodings`, `req.acceptsCharsets` and `req.acceptsLanguages`, by the rules of accepts 1.3
 * and of negotiator 0.6, which skips malformed values of a header. E4-E8, E4-E9, E4-E10, E4-E18 · RFC 9110 §12.5
 */
import negotiator from 'negotiator-0';
import { acceptsMethod, listOf } from '../request/negotiate';
import type { Part } from '../types';
import { lookupType } from './lookup-type';
import type { Request } from './types';

type Negotiating = 'accepts' | 'acceptsEncodings' | 'acceptsCharsets' | 'acceptsLanguages';

export const negotiate: Part<Request, Negotiating> = {
  accepts: compile('mediaTypes', (req, offers) => {
    if (!req.headers.accept) return offers[0];
    // The result is spelled as the application passed it: as a file extension, or as a media type.
    const types = offers.map((offer) => (offer.includes('/') ? offer : lookupType(offer)));
    const [best] = negotiator(req).mediaTypes(types.filter((type) => type !== false));
    return best && offers[types.indexOf(best)];
  }),
  acceptsEncodings: compile('encodings'),
  acceptsCharsets: compile('charsets'),
  acceptsLanguages: compile('languages'),
};

/** Creates a method that returns the preferred offer or `false`; without an offer, all values, best first. */
function compile(
  name: keyof ReturnType<typeof negotiator>,
  choose = (req: Request, offers: readonly string[]): string | false | undefined =>
    negotiator(req)[name](offers)[0] || false,
): ReturnType<typeof acceptsMethod<Request>> {
  return acceptsMethod((req, given) => {
    const offers = listOf(given);
    // As in Express, `''` in place of the first offer means that there is none.
    return given[0] && offers.length > 0 ? (choose(req, offers) ?? false) : negotiator(req)[name]();
  });
}
