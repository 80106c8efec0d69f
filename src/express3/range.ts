/** Ranges of Express 3: one invalid part makes the whole header unsatisfiable, and any unit is accepted. §9.3 */
import type { IncomingMessage } from 'node:http';

/** The ranges of a header `Range`, with its unit as `type`. */
export type Ranges = Array<{ start: number; end: number }> & { type: string };

/** A range that no file can satisfy. */
const UNSATISFIABLE = 'bytes=1-0';

/** Parses the header. Returns -1 if a range cannot be satisfied, -2 if the header has no `=`. */
export function parseRange(size: number, field: string): Ranges | -1 | -2 {
  const equals = field.indexOf('=');
  if (equals === -1) return -2;
  const ranges = field
    .slice(equals + 1)
    .split(',')
    .map((text) => toRange(size, text));
  const areValid = ranges.every(({ start, end }) => start >= 0 && start <= end);
  return areValid ? Object.assign(ranges, { type: field.slice(0, equals) }) : -1;
}

/**
 * Returns a request whose header `Range` makes the current send do what the send of Express 3 does: the given one, or an
 * object that inherits from it.
 *
 * @param size The number of bytes that can be sent.
 */
export function withReadRange<Request extends IncomingMessage>(req: Request, size: number): Request {
  const { headers } = req;
  if (!headers.range) return req;
  const ranges = parseRange(size, headers.range);
  const [first, ...others] = Array.isArray(ranges) ? ranges : [];
  const single = first && others.length === 0 ? `bytes=${first.start}-${first.end}` : undefined;
  const range = ranges === -1 ? UNSATISFIABLE : single;
  return Object.create(req, { headers: { value: { ...headers, range } } });
}

/** Reads `first-last`, `first-`, or `-length` for the end of the resource. NaN for what is no number. */
function toRange(size: number, text: string): { start: number; end: number } {
  const [first, last] = text.split('-').map((digits) => Number.parseInt(digits, 10));
  if (first === undefined || Number.isNaN(first))
    return { start: size - (last ?? Number.NaN), end: size - 1 };
  const isOpen = last === undefined || Number.isNaN(last) || last > size - 1;
  return { start: first, end: isOpen ? size - 1 : last };
}
