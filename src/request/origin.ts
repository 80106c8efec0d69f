/** The origin and target of a request, as far as proxies are trusted. §2.6, §2.3 */
import { isIP } from 'node:net';
import type { TrustFunction } from '../interface';
import type { Part, Request } from '../types';
import { lazy } from '../wire/lazy';
import { readSetting } from '../wire/setting';

const proxyAddr = lazy<typeof import('proxy-addr')>(() => require('proxy-addr'));

type Origin = 'protocol' | 'secure' | 'ip' | 'ips' | 'host' | 'hostname' | 'subdomains';

export const origin: Part<Request, Origin> = {
  /** `'http'` or `'https'`; from a trusted peer, the first value of `X-Forwarded-Proto`. */
  get protocol(): string {
    const own = 'encrypted' in this.socket && this.socket.encrypted ? 'https' : 'http';
    if (!trustOf(this)(addressOf(this), 0)) return own;
    return firstOf(this.get('X-Forwarded-Proto') || own).trim();
  },

  get secure(): boolean {
    return this.protocol === 'https';
  },

  /** The nearest address that is not trusted. */
  get ip(): string | undefined {
    const trust = trustOf(this);
    // Without X-Forwarded-For, the address is that of the socket.
    if (!this.headers['x-forwarded-for'] && typeof trust === 'function' && this.socket) {
      return this.socket.remoteAddress;
    }
    return proxyAddr()(this, trust);
  },

  /** The addresses of `X-Forwarded-For` up to the first one that is not trusted, which comes first. */
  get ips(): string[] {
    return proxyAddr().all(this, trustOf(this)).reverse().slice(0, -1);
  },

  /** With its port: `Host`, or from a trusted peer the first value of `X-Forwarded-Host`. */
  get host(): string {
    const trust = trustOf(this);
    const forwarded = this.get('X-Forwarded-Host');
    const isTrusted = forwarded && trust(addressOf(this), 0);
    const host = isTrusted ? firstOf(forwarded) : this.get('Host');
    // Undefined without a `Host`; @types/express declares a string.
    return (host || undefined) as string;
  },

  /** `host` without its port. */
  get hostname(): string {
    const { host } = this;
    if (!host) return host;
    const port = host.indexOf(':', host[0] === '[' ? host.indexOf(']') + 1 : 0);
    return port === -1 ? host : host.slice(0, port);
  },

  /** The labels before the domain, nearest first; the domain has `subdomain offset` labels. */
  get subdomains(): string[] {
    const { hostname } = this;
    if (!hostname) return [];
    const labels = isIP(hostname) ? [hostname] : hostname.split('.').reverse();
    return labels.slice(readSetting(this.app, 'subdomain offset'));
  },
};

function trustOf(req: Request): TrustFunction {
  return readSetting(req.app, 'trust proxy fn');
}

/** The peer's address; undefined once the socket is closed, so trust functions receive undefined too. */
function addressOf(req: Request): string {
  return req.socket.remoteAddress as string;
}

/** The first of the comma-separated values. */
function firstOf(values: string): string {
  const comma = values.indexOf(',');
  return comma === -1 ? values : values.slice(0, comma).trimEnd();
}
