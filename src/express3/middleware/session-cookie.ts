/** `req.session.cookie` of `cookieSession`: holds the attributes of the session cookie. §9.3 F-9.3-109 */
import cookie from 'cookie';

export interface SessionCookieOptions {
  domain?: string | undefined;
  expires?: Date | null | undefined;
  /** Whether to hide the cookie from scripts in the browser. Default true. */
  httpOnly?: boolean | undefined;
  /** The lifetime in milliseconds. Default null: the cookie lasts until the browser closes. */
  maxAge?: number | null | undefined;
  /** The URL path that the cookie is valid for. Default `/`. */
  path?: string | undefined;
  sameSite?: boolean | 'lax' | 'none' | 'strict' | undefined;
  /** Whether the browser sends the cookie over TLS only. Default false. */
  secure?: boolean | undefined;
}

export class SessionCookie {
  path = '/';
  httpOnly = true;
  domain: string | undefined;
  secure: boolean | undefined;
  sameSite: SessionCookieOptions['sameSite'];
  expires: Date | null | undefined = null;
  originalMaxAge: number | null | undefined;

  constructor(options: SessionCookieOptions | undefined) {
    Object.assign(this, options);
    this.originalMaxAge = this.maxAge;
  }

  /** The remaining lifetime in milliseconds; null for a cookie that lasts until the browser closes. */
  get maxAge(): number | null | undefined {
    // biome-ignore lint/plugin: Express 3 does the same.
    return this.expires instanceof Date ? this.expires.getTime() - Date.now() : this.expires;
  }

  set maxAge(milliseconds: number | null | undefined) {
    this.expires = typeof milliseconds === 'number' ? new Date(Date.now() + milliseconds) : milliseconds;
    this.originalMaxAge = milliseconds;
  }

  /** Returns the attributes as a plain object, for `JSON.stringify` and `serialize`. */
  toJSON(): object {
    const { originalMaxAge, expires, secure, httpOnly, domain, path, sameSite } = this;
    return { originalMaxAge, expires, secure, httpOnly, domain, path, sameSite };
  }

  serialize(name: string, value: string): string {
    return cookie.serialize(name, value, this.toJSON());
  }
}
