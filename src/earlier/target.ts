/** Path and query of a request's target, as parseurl parses them. §2.6 */
import type { IncomingMessage } from 'node:http';
import { parseTarget as parse, type Target } from '../wire/target';

/** The path; empty for a request without a URL. */
export function pathOf(req: IncomingMessage): string {
  return parseTarget(req)?.pathname ?? '';
}

/** The parsed target; undefined for a request without a URL. */
export function parseTarget(req: IncomingMessage): Target | undefined {
  return parse(req);
}
