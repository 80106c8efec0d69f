/** The target of a request, as parseurl parses it. §2.6 */
import type { IncomingMessage } from 'node:http';
import type { Url } from 'node:url';
import parseUrl from 'parseurl';

export interface Target extends Url {
  pathname: string;
  /** The query without its question mark; null for a target without one. */
  query: string | null;
}

interface TargetParser {
  (req: IncomingMessage): Target;
  /** Of the target as the client sent it, before middleware changed `req.url`. */
  original(req: IncomingMessage): Target;
}

/** For a request with a URL: Node.js accepts only targets with a path, which @types/parseurl does not know. */
export const parseTarget: TargetParser = parseUrl as TargetParser;
