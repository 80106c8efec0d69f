// What the desk remembers about a visitor: two signed cookies, the theme and the last station seen.
import { findStation, type Station, stationOf } from '../desk/railway';
import type { Request, RequestHandler, Response } from '../framework';

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const NINETY_DAYS = 90 * 24 * 60 * 60 * 1000;

/** Reads both cookies into `res.locals` and takes back those whose signature does not fit. */
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

/** Expiry is counted from the desk's own clock, so that a stopped clock gives the same bytes every time. */
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

/** @returns `undefined` when the cookie is absent, unsigned, or signed by somebody else. */
function signedCookie(req: Request, name: string): string | undefined {
  const value: unknown = req.signedCookies[name];
  return typeof value === 'string' ? value : undefined;
}
