/** Path and query of a request's target, as parseurl parses them. §2.6 */
import type { IncomingMessage } from 'node:http';
import parseUrl from 'parseurl';

interface Target {
  pathname: string;
  /** The query without its question mark. */
  query: string | null;
}

/** The path; empty for a request without a URL. */
export function pathOf(req: IncomingMessage): string {
  return parseTarget(req)?.pathname ?? '';
}

/** The parsed target; undefined for a request without a URL. */
export function parseTarget(req: IncomingMessage): Target | undefined {
  // @types/parseurl uses the types of Node.js's parser, whose query may be an object.
  return parseUrl(req) as Target | undefined;
}
