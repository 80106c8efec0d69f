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
  /** Parses the target as the client sent it, before middleware changed `req.url`. */
  original(req: IncomingMessage): Target;
}

/** The URL of a request has a path, because Node.js accepts no other target; @types/parseurl does not declare that. */
export const parseTarget: TargetParser = parseUrl as TargetParser;
