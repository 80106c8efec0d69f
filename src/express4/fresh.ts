/** Whether the client's copy is fresh, by the rules of fresh 0.5: all conditions must match. E4-E12, E4-H8 */
import type { IncomingHttpHeaders } from 'node:http';
import fresh from 'fresh';

type ResponseHeaders = Record<'etag' | 'last-modified', number | string | string[] | undefined>;

export function isFresh(request: IncomingHttpHeaders, response: ResponseHeaders): boolean {
  const { 'if-none-match': tags, 'if-modified-since': date } = request;
  if (!tags && !date) return false;
  const directives = { 'cache-control': request['cache-control'] };
  return (
    (!tags || fresh({ ...directives, 'if-none-match': tags }, response)) &&
    (!date || fresh({ ...directives, 'if-modified-since': date }, response))
  );
}
