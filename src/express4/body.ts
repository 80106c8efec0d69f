/** The body parsers of Express 4: the interface of body-parser 1.20 over the parsers of Express 5. E4-G */
import type { IncomingMessage, ServerResponse } from 'node:http';
import querystring from 'node:querystring';
import { gunzipSync } from 'node:zlib';
import type bodyParser from 'body-parser';
import deprecateFor from 'depd';
import createError from 'http-errors';
import typeIs from 'type-is';
import * as core from '../body/parsers';
import { countParameters } from '../http/urlencoded';
import { named } from '../internal/named';
import { parseStrictly, typeOf } from '../legacy/media-type';
import type { Next } from '../types';
import { hasFutureFlag } from './future-flags';
import { lookupType } from './lookup-type';

const deprecate = deprecateFor('body-parser');

type Req = IncomingMessage & { body?: unknown; _body?: boolean };
type Parser = (req: Req, res: ServerResponse, next: Next) => void;

interface Options extends bodyParser.Options {
  extended?: boolean | undefined;
  parameterLimit?: number | undefined;
  depth?: number | undefined;
  defaultCharset?: string | undefined;
  charsetSentinel?: boolean | undefined;
  interpretNumericEntities?: boolean | undefined;
}

const FORM = 'application/x-www-form-urlencoded';
const ENCODINGS = new Set(['identity', 'gzip', 'deflate']);
/** The charsets, without punctuation, that iconv-lite 0.7 knows and iconv-lite 0.4, which Express 4 uses, does not. */
const NEWER_CHARSET = /^(?:utf32(?:le|be)?|ucs4(?:le|be)?|cp720|iso88598[ie])$/;

/** Creates middleware that parses JSON bodies. Charsets other than `utf-*` fail with 415. */
export function json(options?: Options): Parser {
  const isSupported = (charset: string): boolean => charset.startsWith('utf-') && isFormer(charset);
  // body-parser 1.20 has no option of that name for JSON.
  const given = extend(options, { defaultCharset: 'utf-8' });
  return wrap('jsonParser', core.json, given, 'application/json', isSupported);
}

/** Creates middleware that sets `req.body` to the bytes of the body. */
export function raw(options?: Options): Parser {
  return wrap('rawParser', core.raw, options, 'application/octet-stream');
}

/** Creates middleware that sets `req.body` to the text of the body. */
export function text(options?: Options): Parser {
  return wrap('textParser', core.text, options, 'text/plain', isFormer);
}

/** Creates middleware that parses forms. `extended` allows nested values; to omit it means true, but is deprecated. */
export function urlencoded(options?: Options): Parser {
  if (options?.extended === undefined) deprecate('undefined extended: provide extended option');
  const extended = options?.extended !== false;
  // Options of body-parser 2 that body-parser 1.20 lacks.
  const newer = {
    defaultCharset: undefined,
    charsetSentinel: undefined,
    interpretNumericEntities: undefined,
  };
  const isSupported = (charset: string): boolean => charset === 'utf-8';
  const given = extend(options, { ...newer, extended });
  return wrap('urlencodedParser', extended ? core.urlencoded : simpleForms, given, FORM, isSupported);
}

/**
 * Adds the checks and errors of body-parser 1.20 to a parser of `nozomi`.
 *
 * @param create Creates the parser that reads the body.
 * @param usual The media type to parse if the options have none.
 * @param isSupported Whether the parser supports a charset. Default: every charset.
 */
function wrap(
  name: string,
  create: (options: Options) => Parser,
  options: Options | undefined,
  usual: string,
  isSupported?: (charset: string) => boolean,
): Parser {
  const type = options?.type || usual;
  const verify: unknown = options?.verify;
  if (verify && typeof verify !== 'function') throw new TypeError('option verify must be function');
  // The parsers of `nozomi` check one media type with a slash faster than `isWanted`, with the same result.
  const isOneType = typeof type === 'string' && type.includes('/');
  const parse = create(extend(options, { type: isOneType ? type : () => true }));
  const isWanted = typeof type === 'function' ? type : wantedBy(type);
  const charsetOf = cacheLast((contentType) => {
    const charset = readCharset(contentType) || options?.defaultCharset || 'utf-8';
    return { charset, isRefused: isSupported?.(charset) === false };
  });

  return named<Parser>(name, (req, res, next) => {
    if (req._body) return next();
    if (!hasFutureFlag(req, 'body')) req.body = req.body || {};
    if (!typeIs.hasBody(req) || !isWanted(req)) return next();
    const { charset, isRefused } = charsetOf(req.headers['content-type']);
    if (isRefused) {
      const message = `unsupported charset "${charset.toUpperCase()}"`;
      return next(createError(415, message, { charset, type: 'charset.unsupported' }));
    }
    req._body = true;
    const encoding = (req.headers['content-encoding'] || 'identity').toLowerCase();
    if (options?.inflate !== false && !ENCODINGS.has(encoding)) {
      const message = `unsupported content encoding "${encoding}"`;
      return next(createError(415, message, { encoding, type: 'encoding.unsupported' }));
    }
    if (!req.readable) return next(errorOfRead(encoding, options?.inflate !== false));
    parse(req, res, next);
  });
}

/** Returns the options with changes. They inherit from the given ones, which may have a prototype that sets `limit`. */
function extend(options: Options | undefined, changes: Options): Options {
  return Object.create(Object(options), Object.getOwnPropertyDescriptors(changes));
}

/** Keeps the last result of a function, because clients repeat their Content-Type. */
function cacheLast<Result>(
  read: (contentType: string | undefined) => Result,
): (contentType: string | undefined) => Result {
  let last: { readonly contentType: string | undefined; readonly result: Result } | undefined;
  return (contentType) => {
    if (!last || last.contentType !== contentType) last = { contentType, result: read(contentType) };
    return last.result;
  };
}

function wantedBy(types: string | string[]): (req: Req) => boolean {
  const isWanted = cacheLast((contentType) => isOfType(contentType, types));
  return (req) => isWanted(req.headers['content-type']);
}

function isOfType(contentType: string | undefined, wanted: string | readonly string[]): boolean {
  const type = typeOf(contentType);
  if (type === undefined) return false;
  // As in Express, a parser whose `type` is anything else, such as a number, parses no body.
  const types = [wanted].flat();
  return Boolean(
    typeIs.is(
      type,
      types.map((each) => lookupType(each) || each),
    ),
  );
}

/** Returns the error for a body that was read before: a decompressor of Express 4 finds no data. */
function errorOfRead(encoding: string, isInflated: boolean): Error {
  if (encoding === 'identity')
    return createError(500, 'stream is not readable', { type: 'stream.not.readable' });
  if (!isInflated)
    return createError(415, 'content encoding unsupported', { encoding, type: 'encoding.unsupported' });
  try {
    gunzipSync('');
  } catch (err) {
    // The error of Node.js itself: in Jest, http-errors does not take it for an Error, and the message is "Bad Request".
    return createError(400, err as Error);
  }
  return createError(400);
}

function isFormer(charset: string): boolean {
  return !NEWER_CHARSET.test(charset.replace(/[^\da-z]/g, ''));
}

function readCharset(contentType = ''): string | undefined {
  try {
    return parseStrictly(contentType).parameters.charset?.toLowerCase();
  } catch {
    return undefined;
  }
}

/** Creates a parser for forms without nested values. It uses node:querystring. */
function simpleForms(options: Options): Parser {
  const { parameterLimit: limit = 1000 } = options;
  const read = core.text(extend(options, { defaultCharset: 'utf-8' }));
  if (Number.isNaN(Number(limit)) || limit < 1)
    throw new TypeError('option parameterLimit must be a positive number');
  const most = Number.isFinite(limit) ? Math.floor(limit) : limit;
  return (req, res, next) =>
    read(req, res, (err) => {
      if (err) return next(err);
      const body = String(req.body);
      if (countParameters(body, most) > most)
        return next(createError(413, 'too many parameters', { type: 'parameters.too.many', body }));
      req.body = body ? querystring.parse(body, undefined, undefined, { maxKeys: most }) : {};
      next();
    });
}
