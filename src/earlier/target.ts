/** Path and query of a request's target, as parseurl reads them. §2.6 */
import type { IncomingMessage } from 'node:http';
import parseUrl from 'parseurl';

interface Target {
  pathname: string;
  /** Without its question mark. */
  query: string | null;
}

/** Empty for a request without a URL. */
export function pathOf(req: IncomingMessage): string {
  return parseTarget(req)?.pathname ?? '';
}

/** Undefined for a request without a URL. */
export function parseTarget(req: IncomingMessage): Target | undefined {
  // @types/parseurl has the result of Node.js's parser, whose query may be an object.
  return parseUrl(req) as Target | undefined;
}
