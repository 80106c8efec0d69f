/** The setting `query parser`: compiles its value to a function that parses a query string. §2.2 */
import querystring from 'node:querystring';
import qs from 'qs';
import { parseSimpleQuery } from '../http/urlencoded';
import type { QueryParser, SettingsMap } from '../interface';

/** What Express 4 and 5 do differently with the setting `query parser`. */
interface QueryDialect {
  /** The parser for `false`. */
  readonly none: QueryParser | undefined;
  /** Returns the parser for `'extended'`. */
  extended(): QueryParser;
}

/** Creates the function that compiles the setting `query parser` for one Express version. */
export function queryParserCompiler({ none, extended }: QueryDialect): typeof compileQueryParser {
  return (value) => {
    if (typeof value === 'function') return value;
    switch (value) {
      case true:
      case 'simple':
        return querystring.parse;
      case 'extended':
        return extended();
      case false:
        return none;
      default:
        throw new TypeError(`unknown value for query parser function: ${value}`);
    }
  };
}

/**
 * Compiles the value of the setting `query parser`.
 *
 * @returns The parser; undefined for `false`.
 * @throws {TypeError} if the value is not a boolean, `'simple'`, `'extended'` or a function.
 */
export const compileQueryParser: (value: SettingsMap['query parser']) => QueryParser | undefined =
  queryParserCompiler({
    none: undefined,
    extended() {
      // Nested objects and arrays. Simple queries take a faster parser.
      return (query) => parseSimpleQuery(query) ?? qs.parse(query, { allowPrototypes: true });
    },
  });
