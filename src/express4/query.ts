/**
 * `req.query` of Express 4. The first layer of the outermost application sets it as an own property. E4-A2, E4-D1 to
 * E4-D5, E1 to E3
 */
import type { IncomingMessage } from 'node:http';
import querystring from 'node:querystring';
import parseUrl from 'parseurl';
import qs from 'qs';
import { withInherited } from '../earlier/inherited';
import type { QueryParser } from '../interface';
import type { Next } from '../types';
import { named } from '../wire/named';
import { parseSimpleQuery } from '../wire/urlencoded';
import type { RequestHandler } from './interface';

type Queried = IncomingMessage & { query?: unknown };

/**
 * `express.query`: creates the middleware that sets `req.query`.
 *
 * @param options A function that parses a query string, or the options of the package qs.
 */
export function query(options?: QueryParser | object): RequestHandler {
  const parse = typeof options === 'function' ? options : compileQs(options);
  return named('query', (req: Queried, _res: unknown, next: Next) => {
    // As in Express, the parser receives two arguments, and `null` or `undefined` if the URL has no query string.
    if (!req.query) req.query = Reflect.apply(parse, undefined, [parseUrl(req)?.query, undefined]);
    next();
  });
}

function compileQs(options: object | undefined): QueryParser {
  const given: qs.IParseOptions = withInherited(options);
  given.allowPrototypes ??= true;
  return (text) => qs.parse(text, given);
}

/**
 * Compiles the setting `query parser` to a function that parses a query string.
 *
 * @throws {TypeError} for any value but a boolean, `'simple'`, `'extended'` or a function.
 */
export function compileQueryParser(value: unknown): QueryParser {
  if (isParser(value)) return value;
  switch (value) {
    case true:
    case 'simple':
      return querystring.parse;
    case false:
      return () => ({});
    case 'extended':
      return parseExtended;
    default:
      throw new TypeError(`unknown value for query parser function: ${value}`);
  }
}

function isParser(value: unknown): value is QueryParser {
  return typeof value === 'function';
}

function parseExtended(text: string): unknown {
  if (!text) return {};
  return parseSimpleQuery(text) ?? qs.parse(text, { allowPrototypes: true, arrayLimit: 1000 });
}
