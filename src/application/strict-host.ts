/** The setting `strict host`: each request must name exactly one host. §2.2 · RFC 9112 §3.2 */

import createError from 'http-errors';
import { isAuthority, parseOrigin } from '../http/authority';
import type { SettingsMap } from '../interface';
import { withCode } from '../internal/error-code';
import type { AnyRequest, RequestCheck } from '../types';

/**
 * Compiles the value of the setting `strict host`.
 *
 * @returns The check, which runs before the first handler; undefined for `false`.
 */
export function compileStrictHost(value: SettingsMap['strict host']): RequestCheck | undefined {
  return value ? refuseInvalidHost : undefined;
}

/**
 * Refuses a request with several hosts, a malformed host, or a host other than that of an absolute target. A request
 * without `Host` passes, because Node.js itself refuses one over HTTP/1.1.
 *
 * @throws {HttpError} with status 400.
 */
function refuseInvalidHost(req: AnyRequest): void {
  const own = req.get('Host');
  const { host } = req;
  const isOne = (req.headersDistinct?.host?.length ?? 0) <= 1;
  const target = req.url[0] === '/' ? undefined : parseOrigin(req.url)?.authority;
  const isTarget = target === undefined || target.toLowerCase() === own?.toLowerCase();
  const isNamed = (!own || isAuthority(own)) && (host === undefined || isAuthority(host));
  if (!isOne || !isTarget || !isNamed)
    throw withCode(createError(400, 'Invalid Host', { type: 'host.invalid' }), 'NOZOMI_HOST_INVALID');
}
