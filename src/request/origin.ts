/** The client's address, protocol and host. The headers of a proxy count if the proxy is trusted. §2.6, §2.3 */
import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import type { TrustFunction } from '../interface';
import { readSetting } from '../internal/setting';
import type { Part, Request } from '../types';

type Origin = 'protocol' | 'secure' | 'ip' | 'ips' | 'host' | 'hostname' | 'subdomains';

export const origin: Part<Request, Origin> = {
  /** `'http'` or `'https'`. If a trusted proxy sent `X-Forwarded-Proto`, its first value. */
  get protocol(): string {
    const own = 'encrypted' in this.socket && this.socket.encrypted ? 'https' : 'http';
    if (!trustOf(this)(addressOf(this), 0)) return own;
    return firstOf(this.get('X-Forwarded-Proto') || own).trim();
  },

  get secure(): boolean {
    return this.protocol === 'https';
  },

  /** The address of the client: the nearest address that is not a trusted proxy, or else the farthest. */
  get ip(): string | undefined {
    const trust = trustOf(this);
    // Without X-Forwarded-For, the address is the socket's.
    if (!this.headers['x-forwarded-for'] && typeof trust === 'function' && this.socket) {
      return this.socket.remoteAddress;
    }
    return proxyAddr(this, trust);
  },

  /** The addresses that trusted proxies reported in `X-Forwarded-For`, the client first. */
  get ips(): string[] {
    return proxyAddr.all(this, trustOf(this)).reverse().slice(0, -1);
  },

  /** The value of `Host`, with its port. If a trusted proxy sent `X-Forwarded-Host`, its first value. */
  get host(): string {
    const trust = trustOf(this);
    const forwarded = this.get('X-Forwarded-Host');
    const isTrusted = forwarded && trust(addressOf(this), 0);
    const host = isTrusted ? firstOf(forwarded) : this.get('Host');
    // A cast, because @types/express declares a string: the value is undefined if the request has no `Host`.
    return (host || undefined) as string;
  },

  /** `host` without its port. */
  get hostname(): string {
    return withoutPort(this.host);
  },

  /**
   * The labels of the host name before the domain, in reverse order: `['b', 'a']` for `a.b.example.com`. The domain has
   * as many labels as the setting `subdomain offset` says.
   */
  get subdomains(): string[] {
    const { hostname } = this;
    if (!hostname) return [];
    const labels = isIP(hostname) ? [hostname] : hostname.split('.').reverse();
    return labels.slice(readSetting(this.app, 'subdomain offset'));
  },
};

/** Returns a host name or address without its port; undefined if it is undefined. */
export function withoutPort(host: string): string {
  if (!host) return host;
  const port = host.indexOf(':', host[0] === '[' ? host.indexOf(']') + 1 : 0);
  return port === -1 ? host : host.slice(0, port);
}

function trustOf(req: Request): TrustFunction {
  return readSetting(req.app, 'trust proxy fn');
}

/**
 * Returns the address of the socket. As in Express, the trust function receives undefined after the socket was closed.
 */
function addressOf(req: Request): string {
  return req.socket.remoteAddress as string;
}

function firstOf(values: string): string {
  const comma = values.indexOf(',');
  return comma === -1 ? values : values.slice(0, comma).trimEnd();
}
