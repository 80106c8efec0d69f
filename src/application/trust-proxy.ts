/** The setting `trust proxy`: compiles its value to a function that decides which proxies are trusted. §2.3 */

import proxyAddr from 'proxy-addr';
import type { SettingsMap, TrustFunction } from '../interface';

/**
 * Compiles the value of the setting `trust proxy`.
 *
 * @returns A function that says whether to trust the proxy with a given address and distance.
 * @throws {TypeError} for an invalid address or subnet, which the message contains.
 */
export function compileTrust(value: SettingsMap['trust proxy']): TrustFunction {
  if (typeof value === 'function') return value;
  if (value === false) return trustNone;
  if (value === true) return () => true;
  if (typeof value === 'number') return (_address, index) => index < value;
  const addresses = typeof value === 'string' ? value.split(',').map((address) => address.trim()) : value;
  // A cast: the types of proxy-addr require a mutable array, although proxy-addr copies it.
  return proxyAddr.compile((addresses || []) as string[]);
}

// The same name as in proxy-addr, so that applications that print their settings show the same text.
function trustNone(): boolean {
  return false;
}
