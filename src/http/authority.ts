/** Parses the host and port of the header `Host` and of an absolute target. RFC 9110 §7.2, RFC 3986 §3.2 */
import { isIPv6 } from 'node:net';

// A host name with an optional port, such as `a.example.com:80`. Labels may contain underscores, because container
// networks use them. The expression takes linear time, because a label cannot contain the dot that ends it.
const NAME_AND_PORT = /^(?:[\w-]+\.)*[\w-]+\.?(?::\d{0,5})?$/;

// An IPv6 address in brackets with an optional port, such as `[::1]:80`.
const IPV6_AND_PORT = /^\[([\da-fA-F:.]+)\](?::\d{0,5})?$/;

// The scheme and the authority of an absolute target. The authority ends at the path, the query or the fragment.
const ORIGIN = /^https?:\/\/([^/?#\\]*)/i;

/** Whether `text` is exactly one host with an optional port, without a user name or a path. */
export function isAuthority(text: string): boolean {
  if (text[0] !== '[') return NAME_AND_PORT.test(text);
  const address = IPV6_AND_PORT.exec(text)?.[1];
  return address !== undefined && isIPv6(address);
}

/** Returns scheme with authority, and the authority, of an absolute target. RFC 9112 §3.2.2 */
export function parseOrigin(target: string): { origin: string; authority: string } | undefined {
  const [origin, authority] = ORIGIN.exec(target) ?? [];
  return origin === undefined || authority === undefined ? undefined : { origin, authority };
}
