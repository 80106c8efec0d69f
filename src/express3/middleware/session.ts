/** `session`: stores sessions on the server with the package express-session. §9.3 F-9.3-116 */
import type { IncomingMessage } from 'node:http';
import { loadPackage, withMembers } from './load-package';
import type { SessionCookieOptions } from './session-cookie';
import type { Middleware } from './types';

export interface SessionOptions {
  cookie?: (SessionCookieOptions & { signed?: boolean | undefined }) | undefined;
  genid?: ((req: IncomingMessage) => string) | undefined;
  /** The name of the cookie. Default `connect.sid`. */
  key?: string | undefined;
  /** The same as `key`. express-session itself prefers this name. */
  name?: string | undefined;
  proxy?: boolean | undefined;
  /** Whether to store a session that has not changed. Default true, as in Express 3. */
  resave?: boolean | undefined;
  rolling?: boolean | undefined;
  /** Whether to store a new session without data. Default true, as in Express 3. */
  saveUninitialized?: boolean | undefined;
  /** The secret that signs the cookie. Default: the secret of `cookieParser`. */
  secret?: string | string[] | undefined;
  /** The object that stores the sessions. Default: a new `MemoryStore`, for development only. */
  store?: object | undefined;
  unset?: 'destroy' | 'keep' | undefined;
}

type Constructor = new (...args: never[]) => object;

export interface SessionMiddleware {
  (options?: SessionOptions): Middleware;
  readonly Cookie: Constructor;
  readonly MemoryStore: Constructor;
  readonly Session: Constructor;
  readonly Store: Constructor;
}

const MEMBERS = ['Cookie', 'MemoryStore', 'Session', 'Store'] as const;

const library = (): SessionMiddleware =>
  loadPackage<SessionMiddleware>('session', 'express-session', () => require('express-session'));

/** Keeps sessions, with the package express-session. */
export const session: SessionMiddleware = withMembers(
  function session(options?: SessionOptions): Middleware {
    return library()({ resave: true, saveUninitialized: true, ...options });
  },
  MEMBERS,
  library,
);
