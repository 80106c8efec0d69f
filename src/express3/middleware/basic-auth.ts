/** `basicAuth`: HTTP Basic authentication. The package basic-auth parses the header. §9.3 F-9.3-97 … F-9.3-100 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import auth from 'basic-auth';
import { isError } from '../../internal/error-code';
import { named } from '../../internal/named';
import type { Middleware, Next } from './types';

/**
 * Checks credentials. With two parameters, the function returns whether they are valid, or a promise of that. With
 * three parameters, it calls `done(err, user)`; an error or a missing user means that they are not valid.
 */
export type Check = (user: string, pass: string, done: (err?: unknown, user?: unknown) => void) => unknown;

type Authenticated = IncomingMessage & { user?: unknown; remoteUser?: unknown };

const DEFAULT_REALM = 'Authorization Required';

/**
 * Creates middleware that sends 401 for requests without valid credentials. For other requests it sets `req.user` and
 * `req.remoteUser` and calls `next`. It lets requests pass that already have `req.user`, and passes a 400 error to
 * `next` if the header `Authorization` is malformed.
 *
 * @param realm The realm of the header `WWW-Authenticate`. Default `Authorization Required`.
 * @throws {Error} for a user name without a password.
 */
export function basicAuth(username: string, password: string, realm?: string): Middleware;
export function basicAuth(check: Check, realm?: string): Middleware;
export function basicAuth(first: string | Check, second?: string, third?: string): Middleware {
  const isFixed = typeof first === 'string';
  const check = isFixed ? compileEqual(first, passwordOf(second)) : first;
  const challenge = `Basic realm="${(isFixed ? third : second) || DEFAULT_REALM}"`;
  const isLater = check.length >= 3;

  return named('basicAuth', (req: Authenticated, res, next) => {
    const { authorization } = req.headers;
    if (req.user) return next();
    if (!authorization) return refuse(res, challenge);
    const credentials = auth.parse(authorization);
    if (!credentials) return next(Object.assign(new Error('Bad Request'), { status: 400 }));
    const { name, pass } = credentials;

    const settle = (user: unknown): void => {
      if (!user) return refuse(res, challenge);
      req.user = req.remoteUser = user;
      next();
    };
    const done = (err: unknown, user?: unknown): void => settle(err ? undefined : user);
    const result = check(name, pass, done);
    if (!isLater) decide(result, (isValid) => settle(isValid ? name : undefined), next);
  });
}

function passwordOf(given: string | undefined): string {
  if (typeof given !== 'string') throw new Error('password argument required');
  return given;
}

/**
 * If the check returned a promise, waits for its result: the promise itself is truthy and would accept all credentials.
 *
 * A rejection reaches `next` as an Error even if its reason is undefined, because `next(undefined)` would let the
 * request pass.
 */
function decide(result: unknown, settle: (isValid: unknown) => void, next: Next): void {
  if (typeof Object(result).then !== 'function') settle(result);
  else Promise.resolve(result).then(settle, (err) => next(isError(err) ? err : new Error(String(err))));
}

/** Creates a check with fixed credentials. It compares digests, so that its duration reveals nothing. */
function compileEqual(username: string, password: string): Check {
  const key = randomBytes(32);
  const digest = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const [wantedUser, wantedPass] = [digest(username), digest(password)];
  return (user, pass) => {
    const isUser = timingSafeEqual(digest(user), wantedUser);
    return timingSafeEqual(digest(pass), wantedPass) && isUser;
  };
}

function refuse(res: ServerResponse, challenge: string): void {
  res.statusCode = 401;
  res.setHeader('WWW-Authenticate', challenge);
  res.end('Unauthorized');
}
