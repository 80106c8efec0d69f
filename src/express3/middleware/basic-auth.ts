/** `basicAuth`: HTTP Basic authentication, parsed by basic-auth. §9.3 F-9.3-97 … F-9.3-100 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import auth from 'basic-auth';
import { named } from '../../wire/named';
import type { Middleware, Next } from './types';

/**
 * Checks credentials. A function with two parameters returns whether they are valid, or a promise of that. A function
 * with three calls `done` with the user; an error or no user means that they are not valid.
 */
export type Check = (user: string, pass: string, done: (err?: unknown, user?: unknown) => void) => unknown;

type Authenticated = IncomingMessage & { user?: unknown; remoteUser?: unknown };

const DEFAULT_REALM = 'Authorization Required';

/**
 * Refuses requests without valid credentials; for the others it sets `req.user` and `req.remoteUser` and calls
 * `next`.
 *
 * @param realm Default `Authorization Required`.
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
    const holds = check(name, pass, done);
    if (!isLater) decide(holds, (holds) => settle(holds ? name : undefined), next);
  });
}

function passwordOf(given: string | undefined): string {
  if (typeof given !== 'string') throw new Error('password argument required');
  return given;
}

/**
 * Waits for a promise, because the promise itself is truthy. Passes on a rejection as an Error even if its reason is
 * undefined. Without either, any credentials would be accepted.
 */
function decide(holds: unknown, settle: (holds: unknown) => void, next: Next): void {
  if (typeof Object(holds).then !== 'function') settle(holds);
  else
    Promise.resolve(holds).then(settle, (err) => next(err instanceof Error ? err : new Error(String(err))));
}

/** Creates a check whose duration depends neither on where two strings differ nor on their lengths. */
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
