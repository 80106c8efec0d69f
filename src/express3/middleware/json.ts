/** `json`: parses JSON bodies with the parser of `nozomi`, the entry point for Express 5. §9.3 F-9.3-31 */
import deprecateFor from 'depd';
import { json as parser } from '../../body/parsers';
import { withInherited } from '../../legacy/with-inherited';
import { type ParserOptions, toOptions, withBody } from './parse';
import type { Middleware } from './types';

export interface JsonOptions extends ParserOptions {
  /** The second argument of `JSON.parse`: transforms each value. */
  reviver?: ((key: string, value: unknown) => unknown) | undefined;
  /** Whether to accept objects and arrays only. Default true. */
  strict?: boolean | undefined;
}

const DEFAULTS: JsonOptions = { limit: '1mb', type: ['application/json', 'application/*+json'] };

const deprecate = deprecateFor('connect');

/** Creates a parser of JSON bodies. */
export function json(options?: JsonOptions): Middleware {
  const settled = toOptions({ ...DEFAULTS, ...withInherited(options) }, () =>
    deprecate('json.verify: use body-parser module for verify'),
  );
  return withBody(parser(settled), options?.strict === false ? undefined : toStrictError);
}

/** Converts the error for a body that is neither an object nor an array to the error of Express 3. */
function toStrictError(err: unknown): unknown {
  const { type, body } = Object(err);
  if (type !== 'entity.parse.failed' || /^[ \t\n\r]*[{[]/.test(body)) return err;
  return Object.assign(new Error('invalid json'), { body, status: 400 });
}
