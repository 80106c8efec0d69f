/** `req.query` of Express 4: an own property, which the first layer sets. E4-A2, E4-D1 to E4-D5, E4-E1 to E4-E3, E4-E20 */
import type { IncomingMessage } from 'node:http';
import parseUrl from 'parseurl';
import qs from 'qs';
import { type compileQueryParser as compileCore, queryParserCompiler } from '../application/query-parser';
import type { QueryParser } from '../interface';
import { withInherited } from '../legacy/with-inherited';
import { toHandler } from './built-in';
import type { RequestHandler } from './interface';
import { express4 } from './series';

type Queried = IncomingMessage & { query?: unknown };

/**
 * `express.query`: creates the middleware that sets `req.query`.
 *
 * @param options A function that parses a query string, or the options of the package qs.
 */
export function query(options?: QueryParser | object): RequestHandler {
  return toHandler('query', querySetter(options));
}

/** Creates the function that sets `req.query`. @param options As for `query`. */
export function querySetter(options?: QueryParser | object): (req: Queried) => void {
  const parse = typeof options === 'function' ? options : compileQs(options);
  return (req) => {
    // As in Express, the parser receives two arguments, and `null` or `undefined` if the URL has no query string.
    if (!req.query) req.query = Reflect.apply(parse, undefined, [parseUrl(req)?.query, undefined]);
  };
}

function compileQs(options: object | undefined): QueryParser {
  const given: qs.IParseOptions = withInherited(options);
  given.allowPrototypes ??= true;
  return (text) => qs.parse(text, given);
}

/** Compiles the setting `query parser` to a function that parses a query string; for `false`, to an empty object. */
export const compileQueryParser: typeof compileCore = queryParserCompiler(express4.settings);
