/** The host and port of the header `Host` and of a target in absolute form. RFC 9110 §7.2, RFC 3986 §3.2 */
import { isIPv6 } from 'node:net';

// 1*( label "." ) label [ "." ] [ ":" *5DIGIT ]. A label has letters, digits, hyphens and underscores, which
// container networks use. Linear: a label cannot contain the dot that ends it.
const NAME_AND_PORT = /^(?:[\w-]+\.)*[\w-]+\.?(?::\d{0,5})?$/;

// "[" IPv6address "]" [ ":" *5DIGIT ]
const IPV6_AND_PORT = /^\[([\da-fA-F:.]+)\](?::\d{0,5})?$/;

// scheme "://" authority; the authority ends at the path, the query or the end.
const ORIGIN = /^https?:\/\/([^/?#\\]*)/i;

/** Whether `text` is exactly one host: no user name, no second colon, no path. */
export function isAuthority(text: string): boolean {
  if (text[0] !== '[') return NAME_AND_PORT.test(text);
  const address = IPV6_AND_PORT.exec(text)?.[1];
  return address !== undefined && isIPv6(address);
}

/** The origin (scheme and authority) and the authority of a target in absolute form. RFC 9112 §3.2.2 */
export function parseOrigin(target: string): { origin: string; authority: string } | undefined {
  const [origin, authority] = ORIGIN.exec(target) ?? [];
  return origin === undefined || authority === undefined ? undefined : { origin, authority };
}
