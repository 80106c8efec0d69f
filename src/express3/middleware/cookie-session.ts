/** `cookieSession`: stores the session in a signed cookie, which the client can read. §9.3 F-9.3-106 … F-9.3-112 */
import type { IncomingMessage } from 'node:http';
import cookie from 'cookie';
import { sign, unsign } from 'cookie-signature';
import createDebug from 'debug';
import onHeaders from 'on-headers';
import parseUrl from 'parseurl';
import { named } from '../../internal/named';
import { SessionCookie, type SessionCookieOptions } from './session-cookie';
import type { Express3Request, Middleware } from './types';

export interface CookieSessionOptions {
  cookie?: SessionCookieOptions | undefined;
  /** The name of the cookie. Default `connect.sess`. */
  key?: string | undefined;
  /** Whether to trust `X-Forwarded-Proto`, which a proxy sets to `https` if the client uses TLS. Default false. */
  proxy?: boolean | undefined;
  /** The secret that signs the cookie. Default: the secret of `cookieParser`. */
  secret?: string | undefined;
}

interface Session {
  [name: string]: unknown;
  cookie?: SessionCookie;
}

type WithSession = Express3Request & { session?: Session | null };

const DEFAULT_KEY = 'connect.sess';

const debug = createDebug('connect:cookieSession');

/**
 * Creates middleware that reads and stores `req.session`. The value of the cookie is `s:j:<JSON>.<signature>`.
 *
 * If there is no secret, it passes an error to `next` for every request.
 */
export function cookieSession(options: CookieSessionOptions = {}): Middleware {
  const key = options.key || DEFAULT_KEY;

  return named('cookieSession', (req: WithSession, res, next) => {
    const secret = options.secret || [req.secret].flat()[0];
    if (!secret) return next(new Error('`secret` option required for cookie sessions'));

    const settings = new SessionCookie(options.cookie);
    const path = parseUrl.original(req)?.pathname ?? '';
    if (!path.startsWith(settings.path)) {
      req.session = { cookie: settings };
      return next();
    }
    const text = unsignedText(req, key, secret);
    req.session = Object.assign(parseSession(text), { cookie: settings });
    // As in Express 3, an unchanged session is sent again if the secret is that of `cookieParser`. With `options.secret`
    // it is sent only if the value differs from that in the request.
    const before = options.secret ? text : undefined;

    onHeaders(res, () => {
      const { session } = req;
      if (!session) {
        debug('clear session');
        settings.expires = new Date(0);
        res.appendHeader('Set-Cookie', settings.serialize(key, ''));
        return;
      }
      delete session.cookie;
      if (settings.secure && !isSecure(req, options.proxy)) return debug('not secured');
      const after = `j:${JSON.stringify(session)}`;
      if (after === before) return debug('unmodified session');
      res.appendHeader('Set-Cookie', settings.serialize(key, `s:${sign(after, secret)}`));
    });
    next();
  });
}

/** Returns the value of the session cookie without its signature; undefined if missing or invalid. */
function unsignedText(req: IncomingMessage, key: string, secret: string): string | undefined {
  const value = cookie.parse(req.headers.cookie ?? '')[key];
  return value?.startsWith('s:') ? unsign(value.slice(2), secret) || undefined : undefined;
}

/** Parses the cookie value. Anything but a JSON object gives an empty session. */
function parseSession(text: string | undefined): Session {
  if (!text?.startsWith('j:')) return {};
  try {
    const value = JSON.parse(text.slice(2));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function isSecure(req: IncomingMessage, isProxyTrusted: boolean | undefined): boolean {
  if ('encrypted' in req.socket && req.socket.encrypted) return true;
  if (!isProxyTrusted) return false;
  const [first = ''] = String(req.headers['x-forwarded-proto'] ?? '').split(',', 1);
  return first.trimEnd().toLowerCase() === 'https';
}
