/** The limit of `node:http` for headers. Node.js 20, 22 and 24 drop further ones silently; later releases refuse the request. */

/** What `node:http` keeps of names and values, unless `server.maxHeadersCount` is set. */
const DEFAULT_LIMIT = 2000;

export interface HeadersLimit {
  maxHeadersCount?: number | null;
}

/** Whether Node.js may have dropped headers. It does so only when it has kept as many as the limit. */
export function areCut({ length }: readonly string[], { maxHeadersCount }: HeadersLimit): boolean {
  const limit = typeof maxHeadersCount === 'number' ? maxHeadersCount << 1 : DEFAULT_LIMIT;
  return limit > 0 && length >= limit;
}
