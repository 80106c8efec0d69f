/** The setting `trust proxy`: compiles its value to a function that decides which proxies are trusted. §2.3 */
import type { SettingsMap, TrustFunction } from '../interface';
import { lazy } from '../wire/lazy';

const proxyAddr = lazy<typeof import('proxy-addr')>(() => require('proxy-addr'));

/** @throws {TypeError} for an invalid address or subnet; the message contains it. */
export function compileTrust(value: SettingsMap['trust proxy']): TrustFunction {
  if (typeof value === 'function') return value;
  if (value === false) return trustNone;
  if (value === true) return () => true;
  if (typeof value === 'number') return (_address, index) => index < value;
  const addresses = typeof value === 'string' ? value.split(',').map((address) => address.trim()) : value;
  // proxy-addr copies the array.
  return proxyAddr().compile((addresses || []) as string[]);
}

// The function has the name that proxy-addr uses, because applications print settings.
function trustNone(): boolean {
  return false;
}
