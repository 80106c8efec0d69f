/** `urlencoded`: parses forms with the parser of `nozomi`, the entry point for Express 5. §9.3 F-9.3-32 */
import deprecateFor from 'depd';
import { urlencoded as parser } from '../../body/parsers';
import { withInherited } from '../../legacy/with-inherited';
import { type ParserOptions, toOptions, withBody } from './parse';
import type { Middleware } from './types';

export interface UrlencodedOptions extends ParserOptions {
  /** Whether brackets in names create objects and arrays. Default true. */
  extended?: boolean | undefined;
  /** The maximum number of parameters. Default 1000. */
  parameterLimit?: number | undefined;
}

const DEFAULTS: UrlencodedOptions = { extended: true, limit: '1mb' };

const deprecate = deprecateFor('connect');

/** Creates a parser of form bodies. */
export function urlencoded(options?: UrlencodedOptions): Middleware {
  const settled = toOptions({ ...DEFAULTS, ...withInherited(options) }, () =>
    deprecate('urlencoded.verify: use body-parser module for verify'),
  );
  return withBody(parser(settled));
}
