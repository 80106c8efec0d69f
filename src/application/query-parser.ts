/** The setting `query parser`: compiles its value to a function that parses a query string. §2.2 */
import querystring from 'node:querystring';
import type { QueryParser, SettingsMap } from '../interface';
import { need } from '../wire/lazy';
import { parseSimpleQuery } from '../wire/urlencoded';
import { parseNested } from './nested-query';

/**
 * Compiles the value of the setting `query parser`.
 *
 * @returns The parser; undefined for `false`.
 * @throws {TypeError} if the value is not a boolean, `'simple'`, `'extended'` or a function.
 */
export function compileQueryParser(value: SettingsMap['query parser']): QueryParser | undefined {
  if (typeof value === 'function') return value;
  switch (value) {
    case true:
    case 'simple':
      return querystring.parse;
    case 'extended':
      need(() => parseNested);
      return parseExtended;
    case false:
      return undefined;
    default:
      throw new TypeError(`unknown value for query parser function: ${value}`);
  }
}

/** Parses nested objects and arrays. Simple queries take a faster parser. */
function parseExtended(query: string): unknown {
  return parseSimpleQuery(query) ?? parseNested(query);
}
