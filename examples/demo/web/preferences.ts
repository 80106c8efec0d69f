// Keeps the preferences of a visitor in two signed cookies: the theme and the last station.
import { findStation, type Station, stationOf } from '../desk/railway';
import type { Request, RequestHandler, Response } from '../framework';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const NINETY_DAYS = 90 * 24 * 60 * 60 * 1000;

/** Creates middleware that reads both cookies into `res.locals`. It removes cookies with an invalid signature. */
export function preferences(): RequestHandler {
  return (req, res, next) => {
    res.vary('Cookie');
    res.locals.here = req.path;
    res.locals.back = req.method === 'GET' ? req.originalUrl : '/';
    res.locals.theme = themes.find((theme) => theme === signedCookie(req, 'theme')) ?? 'auto';
    res.locals.home = findStation(signedCookie(req, 'station') ?? '') ?? stationOf('central');
    for (const name of ['theme', 'station']) {
      if (req.signedCookies[name] === false) res.clearCookie(name);
    }
    next();
  };
}

export function homeStation(res: Response): Station {
  return res.locals.home as Station;
}

/**
 * Stores a preference in a cookie, unless the request already has that value. The expiry date comes from the
 * application's clock, so that tests with a fixed clock get the same response every time.
 */
export function remember(
  req: Request,
  res: Response,
  name: 'theme' | 'station',
  value: string,
  now: Date,
): void {
  if (signedCookie(req, name) === value) return;
  res.cookie(name, value, {
    signed: true,
    httpOnly: true,
    sameSite: 'lax',
    secure: req.secure,
    expires: new Date(now.getTime() + NINETY_DAYS),
  });
}

/**
 * Reads a cookie.
 *
 * @returns `undefined` if the cookie is missing, unsigned, or signed with another secret.
 */
function signedCookie(req: Request, name: string): string | undefined {
  const value: unknown = req.signedCookies[name];
  return typeof value === 'string' ? value : undefined;
}
