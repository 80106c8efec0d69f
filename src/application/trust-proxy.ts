/** The setting `trust proxy`: a value → whom to trust about a request's origin. §2.3 */
import type { SettingsMap, TrustFunction } from '../interface';
import { lazy } from '../wire/lazy';

const proxyAddr = lazy<typeof import('proxy-addr')>(() => require('proxy-addr'));

/** @throws {TypeError} for an invalid address or subnet, naming it. */
export function compileTrust(value: SettingsMap['trust proxy']): TrustFunction {
  if (typeof value === 'function') return value;
  if (value === false) return trustNone;
  if (value === true) return () => true;
  if (typeof value === 'number') return (_address, index) => index < value;
  const addresses = typeof value === 'string' ? value.split(',').map((address) => address.trim()) : value;
  // proxy-addr copies the array.
  return proxyAddr().compile((addresses || []) as string[]);
}

// With the name that proxy-addr gives it: applications print settings.
function trustNone(): boolean {
  return false;
}
