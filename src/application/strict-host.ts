/** The setting `strict host`: each request must name exactly one host. §2.2 · RFC 9112 §3.2 */
import type { SettingsMap } from '../interface';
import type { AnyRequest, RequestCheck } from '../types';
import { isAuthority, parseOrigin } from '../wire/authority';
import { withCode } from '../wire/error-code';
import { lazy } from '../wire/lazy';

const createError = lazy<typeof import('http-errors')>(() => require('http-errors'));

/**
 * @returns The check that runs before the first handler; undefined if there is none.
 * @throws {TypeError} for any value but a boolean.
 */
export function compileStrictHost(value: SettingsMap['strict host']): RequestCheck | undefined {
  if (typeof value !== 'boolean')
    throw withCode(new TypeError(`unknown value for strict host: ${value}`), 'NOZOMI_SETTING_VALUE');
  return value ? refuseOtherHosts : undefined;
}

/** Throws for a missing, second or invalid host. Only an HTTP/1.0 request may have none. */
function refuseOtherHosts(req: AnyRequest): void {
  const own = req.get('Host');
  const { host } = req;
  const isOne = (req.headersDistinct?.host?.length ?? 0) <= 1;
  const target = req.url[0] === '/' ? undefined : parseOrigin(req.url)?.authority;
  const isTarget = target === undefined || target.toLowerCase() === own?.toLowerCase();
  const isNamed = (!own || isAuthority(own)) && (host === undefined || isAuthority(host));
  if (!isOne || !isTarget || !isNamed)
    throw withCode(createError()(400, 'Invalid Host', { type: 'host.invalid' }), 'NOZOMI_HOST_INVALID');
}
