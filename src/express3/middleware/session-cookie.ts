/** `req.session.cookie` of `cookieSession`: the attributes of `Set-Cookie`. §9.3 F-9.3-109 */
import cookie from 'cookie';

export interface SessionCookieOptions {
  domain?: string | undefined;
  expires?: Date | null | undefined;
  /** Default true. */
  httpOnly?: boolean | undefined;
  /** Milliseconds. Default null: until the browser closes. */
  maxAge?: number | null | undefined;
  /** Default `/`. */
  path?: string | undefined;
  sameSite?: boolean | 'lax' | 'none' | 'strict' | undefined;
  /** Send it over TLS only. */
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

  /** Milliseconds from now. */
  get maxAge(): number | null | undefined {
    return this.expires instanceof Date ? this.expires.getTime() - Date.now() : this.expires;
  }

  set maxAge(milliseconds: number | null | undefined) {
    this.expires = typeof milliseconds === 'number' ? new Date(Date.now() + milliseconds) : milliseconds;
    this.originalMaxAge = milliseconds;
  }

  /** The serialised form, also for `JSON.stringify`. */
  toJSON(): object {
    const { originalMaxAge, expires, secure, httpOnly, domain, path, sameSite } = this;
    return { originalMaxAge, expires, secure, httpOnly, domain, path, sameSite };
  }

  serialize(name: string, value: string): string {
    return cookie.serialize(name, value, this.toJSON());
  }
}
