// Sets security headers on all responses, and refuses requests that change data from pages of other sites.
import type { RequestHandler } from '../framework';
import { DeskError } from './desk-error';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function safetyFields(): RequestHandler {
  return (_req, res, next) => {
    res.set({
      'Content-Security-Policy': POLICY,
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    });
    next();
  };
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Creates middleware that refuses changes that a page of another site requests.
 *
 * Browsers send the HTTP authentication of the office with requests from any site, so SameSite cookies would not
 * protect it.
 */
export function sameOriginOnly(): RequestHandler {
  return (req, _res, next) => {
    if (READING.has(req.method) || isFromHere(req.get('Sec-Fetch-Site'), req.get('Origin'), req.host)) next();
    else next(new DeskError(403, 'Changes are accepted from pages of this site only.'));
  };
}

/**
 * Whether a request comes from a page of this site or from no page. Browsers send one of the two headers with every
 * change; other clients such as curl send neither and are accepted.
 */
function isFromHere(site: string | undefined, origin: string | undefined, host: string | undefined): boolean {
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
