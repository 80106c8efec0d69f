/** `csrf`: protects against forged requests, by tokens of the package csrf. §9.3 F-9.3-113 … F-9.3-117 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import cookie from 'cookie';
import { sign } from 'cookie-signature';
import createError from 'http-errors';
import { named } from '../../internal/named';
import { loadPackage } from './load-package';
import type { SessionCookieOptions } from './session-cookie';
import type { Express3Request, Middleware } from './types';

export interface CsrfOptions {
  /** Whether to store the secret in a cookie (`_csrf`, for the path `/`) instead of the session. Default false. */
  cookie?: boolean | CsrfCookieOptions | undefined;
  /** Methods that need no token. Default GET, HEAD, OPTIONS. */
  ignoreMethods?: readonly string[] | undefined;
  /** The length of the salt in characters. Default 8. */
  saltLength?: number | undefined;
  /** The length of the secret in bytes. Default 18. */
  secretLength?: number | undefined;
  /** The property of the request that contains the session. Default `session`. */
  sessionKey?: string | undefined;
  /**
   * Returns the token that a request contains. Default: `_csrf` of the body or the query, or a header such as
   * `CSRF-Token` or `X-CSRF-Token`.
   */
  value?: ((req: IncomingMessage) => unknown) | undefined;
}

export interface CsrfCookieOptions
  extends Pick<SessionCookieOptions, 'domain' | 'path' | 'sameSite' | 'secure'> {
  expires?: Date | undefined;
  httpOnly?: boolean | undefined;
  key?: string | undefined;
  /** The lifetime of the cookie in seconds. */
  maxAge?: number | undefined;
  signed?: boolean | undefined;
}

/** Reads and writes the secret of a client, in its session or in a cookie. */
interface Store {
  read(req: Express3Request): string | undefined;
  write(req: Express3Request, res: ServerResponse, secret: string): void;
}

type WithToken = Express3Request & { csrfToken?(): string };

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const FIELDS = ['csrf-token', 'xsrf-token', 'x-csrf-token', 'x-xsrf-token'];

/**
 * Creates middleware that passes a 403 error to `next` if a request has no valid token, unless `ignoreMethods` contains
 * its method. Pages get their token from `req.csrfToken()`.
 *
 * @throws {TypeError} if `ignoreMethods` is not a list.
 */
export function csrf(options: CsrfOptions = {}): Middleware {
  const { ignoreMethods = SAFE_METHODS, sessionKey = 'session', value = tokenOf } = options;
  if (!Array.isArray(ignoreMethods)) throw new TypeError('option ignoreMethods must be an array');
  const Tokens = loadPackage('csrf', 'csrf', (): typeof import('csrf') => require('csrf'));
  const { saltLength, secretLength } = options;
  // The types of the package csrf do not allow `undefined`, although csrf treats it as a missing option.
  const lengths: object = { saltLength, secretLength };
  const tokens = new Tokens(lengths);
  const isToken = (given: unknown, secret: string): boolean =>
    typeof given === 'string' && tokens.verify(secret, given);
  const isSafe = new Set(ignoreMethods.map((method) => method.toUpperCase()));
  const store = options.cookie ? inCookie(options.cookie) : inSession(sessionKey);

  return named('csrf', (req: WithToken, res, next) => {
    const renew = (): string => {
      const secret = tokens.secretSync();
      store.write(req, res, secret);
      return secret;
    };
    let secret: string;
    let token: string | undefined;
    try {
      secret = store.read(req) || renew();
    } catch (err) {
      return next(err);
    }

    req.csrfToken = () => {
      // Read the secret of a session again, because a handler may have replaced the session. Keep the secret of a
      // cookie: the request does not contain a cookie that this response sets.
      const now = options.cookie ? secret : (store.read(req) ?? renew());
      if (token === undefined || now !== secret) token = tokens.create(now);
      secret = now;
      return token;
    };

    if (!isSafe.has(req.method ?? '') && !isToken(value(req), secret)) {
      return next(createError(403, 'invalid csrf token', { code: 'EBADCSRFTOKEN' }));
    }
    next();
  });
}

function tokenOf(req: Express3Request): unknown {
  const field = FIELDS.find((name) => req.headers[name]);
  return req.body?._csrf || req.query?._csrf || (field && req.headers[field]);
}

function inSession(key: string): Store {
  const sessionOf = (req: Express3Request): { csrfSecret?: string } => {
    const session: { csrfSecret?: string } | undefined = Reflect.get(req, key);
    if (!session) throw new Error('misconfigured csrf');
    return session;
  };
  return {
    read: (req) => sessionOf(req).csrfSecret,
    write(req, _res, secret) {
      sessionOf(req).csrfSecret = secret;
    },
  };
}

function inCookie(given: true | CsrfCookieOptions): Store {
  const { key = '_csrf', signed = false, ...rest } = given === true ? {} : given;
  // The types of the package cookie do not allow `undefined`, although the package treats it as a missing option.
  const settings: object = { path: '/', ...rest };
  return {
    read(req) {
      const bag = signed ? req.signedCookies : req.cookies;
      if (!bag) throw new Error('misconfigured csrf');
      // The package csrf checks that the secret is a string.
      return bag[key] as string | undefined;
    },
    write(req, res, secret) {
      const [signer] = [req.secret].flat();
      if (signed && !signer) throw new Error('cookieParser("secret") required for signed cookies');
      const value = signer && signed ? `s:${sign(secret, signer)}` : secret;
      res.appendHeader('set-cookie', cookie.serialize(key, value, settings));
    },
  };
}
