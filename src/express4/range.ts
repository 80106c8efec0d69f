/** Makes range-parser 1.3 ignore what range-parser 1.2 of Express 4 cannot read. E4-E16, E4-E19 */
import type { IncomingMessage } from 'node:http';

/** A header that both versions read alike. */
const WELL_FORMED = /^[^=]*(?:$|=(?:\d+-\d*|-\d+)(?:, *(?:\d+-\d*|-\d+))*$)/;
/** A range that no file can satisfy. */
const UNSATISFIABLE = '1-0';

/** Rewrites a malformed header to a well-formed one with the same result. */
export function toWellFormed(field: string): string {
  if (WELL_FORMED.test(field)) return field;
  const start = field.indexOf('=') + 1;
  const ranges = field.slice(start).split(',').map(toRange);
  return field.slice(0, start) + ranges.join();
}

/** Returns a request with a well-formed header `Range`: the given one, or an object that inherits from it. */
export function withWellFormedRange<Request extends IncomingMessage>(req: Request): Request {
  const { headers } = req;
  const range = headers.range && toWellFormed(headers.range);
  return range === headers.range ? req : Object.create(req, { headers: { value: { ...headers, range } } });
}

function toRange(text: string): string {
  const [first, last] = text.split('-').map(toDigits);
  return first || last ? `${first}-${last ?? ''}` : UNSATISFIABLE;
}

/** Returns the digits that `parseInt` reads; an empty string if it reads none. */
function toDigits(text: string): string {
  return Number.isNaN(Number.parseInt(text, 10)) ? '' : (/\d+/.exec(text)?.[0] ?? '');
}
