/** The setting `query parser`: compiles its value to a function that parses a query string. §2.2 */
import querystring from 'node:querystring';
import type { QueryParser, SettingsMap } from '../interface';
import { lazy } from '../wire/lazy';
import { parseSimpleQuery } from '../wire/urlencoded';

const qs = lazy<typeof import('qs')>(() => require('qs'));

/**
 * @returns The parser; undefined if queries are not parsed.
 * @throws {TypeError} for any value but a boolean, `'simple'`, `'extended'` or a function.
 */
export function compileQueryParser(value: SettingsMap['query parser']): QueryParser | undefined {
  if (typeof value === 'function') return value;
  switch (value) {
    case true:
    case 'simple':
      return querystring.parse;
    case 'extended':
      return parseExtended;
    case false:
      return undefined;
    default:
      throw new TypeError(`unknown value for query parser function: ${value}`);
  }
}

/**
 * Parses nested objects and arrays. Keys such as `hasOwnProperty` are allowed, because the result is only read as
 * data.
 */
function parseExtended(query: string): unknown {
  return parseSimpleQuery(query) ?? qs().parse(query, { allowPrototypes: true });
}
