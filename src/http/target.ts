/** Parses the target of a request with parseurl. §2.6 */
import type { IncomingMessage } from 'node:http';
import type { Url } from 'node:url';
import parseUrl from 'parseurl';

export interface Target extends Url {
  pathname: string;
  /** The query without its question mark; null if the target has no query. */
  query: string | null;
}

interface TargetParser {
  (req: IncomingMessage): Target;
  /** Parses the target as the client sent it, before middleware changed `req.url`. */
  original(req: IncomingMessage): Target;
}

/**
 * Returns undefined for a request without a URL, which a test may create. A cast: Node.js only accepts targets with a
 * path, but @types/parseurl declares that the path may be missing.
 */
export const parseTarget: TargetParser = parseUrl as TargetParser;
