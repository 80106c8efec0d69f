/** The setting `query parser`: compiles its value to a function that parses a query string. §2.2 */
import querystring from 'node:querystring';
import type { QueryParser, SettingsMap } from '../interface';
import { express5, type QueryRules } from '../series';

/** Creates the function that compiles the setting `query parser` for one series. */
export function queryParserCompiler(rules: QueryRules): typeof compileQueryParser {
  return (value) => {
    if (typeof value === 'function') return value;
    switch (value) {
      case true:
      case 'simple':
        return querystring.parse;
      case 'extended':
        return rules.parseExtendedQuery;
      case false:
        return rules.disabledQueryParser;
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
  queryParserCompiler(express5.settings);
