/** Returns the path and the query of a request, as parseurl parses them. §2.6 */
import type { IncomingMessage } from 'node:http';
import { parseTarget as parse, type Target } from '../wire/target';

/** Returns the path of a request; empty if the request has no URL. */
export function pathOf(req: IncomingMessage): string {
  return parseTarget(req)?.pathname ?? '';
}

/** Returns the parsed target; undefined if the request has no URL. */
export function parseTarget(req: IncomingMessage): Target | undefined {
  return parse(req);
}
