/** The method `res.writeEarlyHints`, with a check that Node.js 20 lacks. RFC 8297 */
import { ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';

const node: Pick<ServerResponse, 'writeEarlyHints'> = ServerResponse.prototype;

export const earlyHints: Pick<ServerResponse, 'writeEarlyHints'> = {
  /**
   * Sends the informational response 103. Node.js 20 copies names and values to the connection without a check, so a
   * line break in one would add a header, or a whole response.
   *
   * @throws {TypeError} with the code of `res.setHeader` for an invalid name or value.
   */
  writeEarlyHints(hints, callback) {
    if (hints?.link) {
      for (const [name, value] of Object.entries(hints)) {
        validateHeaderName(name);
        validateHeaderValue(name, String(value));
      }
    }
    Reflect.apply(node.writeEarlyHints, this, [hints, callback]);
  },
};

/** Adds the method to a response prototype. It is not enumerable, because that of Express has no such member. */
export function addEarlyHints<Prototype extends ServerResponse>(response: Prototype): Prototype {
  return Object.defineProperty(response, 'writeEarlyHints', {
    configurable: true,
    writable: true,
    value: earlyHints.writeEarlyHints,
  });
}
