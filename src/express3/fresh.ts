/** `req.fresh` of Express 3: all conditions must match, not only the first that is present. §9.3 */
import type { IncomingHttpHeaders } from 'node:http';

interface Validators {
  readonly etag: unknown;
  readonly lastModified: unknown;
}

export function isFresh(request: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const { 'if-none-match': tags, 'if-modified-since': date } = request;
  if (!tags && !date) return false;
  if (request['cache-control']?.includes('no-cache')) return false;
  const matches = (tag: string): boolean => tag === '*' || tag === etag || tag === `W/${etag}`;
  if (tags && !tags.split(',').some((tag) => matches(tag.trim()))) return false;
  return !date || Date.parse(String(lastModified)) <= Date.parse(date);
}
