/**
 * The setting `trust proxy`: a value → who is trusted to tell a request's origin. §2.3
 */
import proxyaddr from 'proxy-addr';
import type { Trust } from '../types';

/**
 * @throws {TypeError} for an address or subnet that is none, naming it.
 */
export function compileTrust(value: unknown): Trust {
  if (typeof value === 'function') return value as Trust;
  if (value === true) return () => true;
  if (typeof value === 'number') return (_address, index) => index < value;
  const addresses = typeof value === 'string' ? value.split(',').map((address) => address.trim()) : value;
  return proxyaddr.compile((addresses || []) as string[]);
}
