/**
 * The setting `strict paths`: the application handles only one spelling of each path. The check runs before routing, so
 * it also protects mount paths and `express.static`. §2.2
 */

import createError from 'http-errors';
import { isAuthority, parseOrigin } from '../http/authority';
import { normalizePath } from '../http/path';
import type { SettingsMap } from '../interface';
import { withCode } from '../internal/error-code';
import type { AnyRequest, RequestCheck } from '../types';

/** @throws {TypeError} if the value is not a boolean or `'normalize'`. */
export function checkStrictPaths(value: unknown): void {
  if (typeof value === 'boolean' || value === 'normalize') return;
  throw withCode(
    new TypeError(`unknown value for strict paths: ${value}; use true, false or 'normalize'`),
    'NOZOMI_SETTING_VALUE',
  );
}

/**
 * Compiles the value of the setting `strict paths`.
 *
 * @returns The check, which runs before the first handler; undefined for `false`.
 */
export function compileStrictPaths(value: SettingsMap['strict paths']): RequestCheck | undefined {
  if (value === 'normalize') return normalizeSpelling;
  return value ? refuseOtherSpellings : undefined;
}

function refuseOtherSpellings(req: AnyRequest): void {
  const target = toOriginForm(req);
  if (target === undefined || normalizeTarget(target) !== target) throw ambiguous();
  req.url = target;
}

function normalizeSpelling(req: AnyRequest): void {
  const target = toOriginForm(req);
  const normal = target && normalizeTarget(target);
  if (!normal) throw ambiguous();
  req.url = normal;
}

/**
 * Returns the request target without scheme and authority; undefined if it is malformed. Does not use the class `URL`,
 * which escapes some characters that a path may contain, such as `'`. RFC 9112 §3.2
 */
function toOriginForm({ method, url }: AnyRequest): string | undefined {
  if (url[0] === '/' || (url === '*' && method === 'OPTIONS')) return url;
  const named = parseOrigin(url);
  if (!named || !isAuthority(named.authority)) return undefined;
  const rest = url.slice(named.origin.length);
  return rest[0] === '/' ? rest : `/${rest}`;
}

/** Converts the path of a target to normal form; undefined if it has none, or the query has whitespace or `#`. */
function normalizeTarget(target: string): string | undefined {
  if (target === '*') return target;
  const mark = target.indexOf('?');
  const end = mark === -1 ? target.length : mark;
  const query = target.slice(end);
  // If the query contains whitespace or `#`, parseurl calls `url.parse`, which also escapes characters in the path.
  if (/[\s#]/.test(query)) return undefined;
  const path = normalizePath(target.slice(0, end));
  return path === undefined ? undefined : path + query;
}

function ambiguous(): Error {
  return withCode(createError(400, 'Ambiguous path', { type: 'path.ambiguous' }), 'NOZOMI_PATH_AMBIGUOUS');
}
