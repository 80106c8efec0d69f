/** Checks the setting `trust proxy`, and the `secure` option of session cookies. */
import { BlockList, isIP } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type * as t from '@babel/types';
import { insertAt, replaceNode } from '../changes';
import type { LiveApplication } from '../live';
import type { Change, Finding } from '../model';
import type { AnyApplication, Session } from '../registrations';
import type { Sources } from '../sources';
import { type LiveNode, walkTree } from '../tree';
import { CODES } from './codes';

/** Addresses that are not used on the public internet. RFC 6890, RFC 4193 */
// biome-ignore format: a table
const PRIVATE = [
  '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '169.254.0.0/16', '100.64.0.0/10',
  '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '::1/128', 'fc00::/7', 'fe80::/10',
  '2001:db8::/32',
];
const privateAddresses = new BlockList();
for (const range of PRIVATE) {
  const [address = '', bits = ''] = range.split('/');
  privateAddresses.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** IPv4 ranges with a prefix of at most 7 bits, and IPv6 ranges of at most 16 bits, contain networks of many owners. */
const WIDE_4 = 7;
const WIDE_6 = 16;

/** A note, not a warning, because a proxy may replace the headers that the client sends. */
const TRUSTS_ALL: Omit<Finding, 'site'> = {
  code: CODES.trustProxy.code,
  severity: 'note',
  message:
    '"trust proxy" is true: the client chooses req.ip, unless a proxy replaces the whole X-Forwarded-For header',
};

export function findTrustedProxies({ registrations }: LiveApplication): Finding[] {
  return registrations.applications.flatMap((app) => {
    const site = registrations.settings.get(app)?.get('trust proxy');
    const value = app.settings['trust proxy'];
    if (value === true) return [{ ...TRUSTS_ALL, site }];
    return listOf(value).flatMap((range): Finding[] => {
      const [address = '', bits] = range.split('/');
      const family = isIP(address);
      if (family === 0) return [];
      const isWide = Number(bits ?? 128) <= (family === 6 ? WIDE_6 : WIDE_4);
      if (privateAddresses.check(address, family === 6 ? 'ipv6' : 'ipv4')) return [];
      return [
        {
          code: CODES.trustProxy.code,
          severity: isWide ? 'warning' : 'note',
          message: isWide
            ? `"trust proxy" trusts ${range}, a large part of the internet: clients there decide what req.ip is`
            : `"trust proxy" trusts ${range}, an address of the public internet: is every host there a proxy of yours?`,
          site,
        },
      ];
    });
  });
}

/** The addresses in a value of `trust proxy` that is a list or a string with commas; none for other values. */
function listOf(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  return list.map((one) => String(one).trim());
}

export function findSessionCookies({ roots, registrations, server, sources }: LiveApplication): Finding[] {
  const isTls = server instanceof TlsServer;
  // In development the application may have other settings. If only a proxy uses TLS, the proxy may also serve plain HTTP.
  const isProved = isTls && process.env.NODE_ENV === 'production';
  return roots.flatMap((root) =>
    [...walkTree(root)].flatMap((node): Finding[] => {
      const session = registrations.sessions.get(node.layer?.handle);
      if (!session || isSecure(session) || !(isTls || applicationsOf(node).some(trustsProxy))) return [];
      const why = isTls ? 'the server speaks TLS' : '"trust proxy" is set, so a proxy may speak TLS';
      return [
        {
          code: CODES.sessionCookie.code,
          severity: isProved ? 'warning' : 'note',
          message: `the session cookie has no "secure", with NODE_ENV=${process.env.NODE_ENV}, though ${why}`,
          site: session.site ?? node.site,
          change: secureCookie(session, isTls, sources),
        },
      ];
    }),
  );
}

/** Adds `secure` to the options of a session. A proxy may also serve plain HTTP, for which `auto` sets no `secure`. */
function secureCookie({ from, site }: Session, isTls: boolean, sources: Sources): Change | undefined {
  const [options] = sources.callAt(site)?.node.arguments ?? [];
  const parsed = site && sources.file(site.file);
  if (options?.type !== 'ObjectExpression') return undefined;
  const optionOf = (name: string): t.Node | undefined =>
    options.properties.flatMap((one) =>
      one.type === 'ObjectProperty' && one.key.type === 'Identifier' && one.key.name === name
        ? [one.value]
        : [],
    )[0];
  if (from !== 'express-session') {
    const given = optionOf('secure');
    return given && replaceNode(parsed, given, 'true', 'write secure: true');
  }
  const secure = `secure: ${isTls ? 'true' : "'auto'"}`;
  const cookie = optionOf('cookie');
  if (!cookie)
    return insertAt(parsed, (options.start ?? 0) + 1, ` cookie: { ${secure} },`, `add cookie: { ${secure} }`);
  return cookie.type === 'ObjectExpression'
    ? insertAt(parsed, (cookie.start ?? 0) + 1, ` ${secure},`, `add ${secure} to cookie`)
    : undefined;
}

function isSecure({ from, options }: { readonly from: string; readonly options: object }): boolean {
  const { cookie, secure } = options as { cookie?: unknown; secure?: unknown };
  // By default, cookie-session sets `secure` if the connection uses TLS.
  if (from === 'cookie-session') return secure !== false;
  return typeof cookie === 'function' || Boolean((cookie as { secure?: unknown } | undefined)?.secure);
}

function applicationsOf(node: LiveNode): AnyApplication[] {
  const own = node.application ? [node.application] : [];
  return node.parent ? [...own, ...applicationsOf(node.parent)] : own;
}

function trustsProxy({ settings }: AnyApplication): boolean {
  return Boolean(settings['trust proxy']);
}
