/**
 * The body parsers `json`, `raw`, `text` and `urlencoded`. §2.10
 *
 * `utf8.ts` reads most bodies faster, with the same result (docs/performance.md). body-parser reads all other bodies
 * and creates every parse error.
 */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import bodyParser, { type Options } from 'body-parser';
import type api from '../interface';
import { compileFormParser } from './form';
import { withLimit } from './limit';
import { compileUtf8, readUtf8 } from './utf8';

type Middleware = api.BodyParser;
type Parsed = IncomingMessage & { body?: unknown };

/**
 * The longest JSON body that takes the fast path, in bytes. For longer bodies the gain is small, and parsing an invalid
 * body a second time would block the event loop.
 */
const MAX_JSON_BYTES = 128 * 1024;

export const raw: typeof api.raw = (options) => {
  return withLimit(bodyParser.raw(options), options);
};

export const json: typeof api.json = (options) => {
  const whole = withLimit(bodyParser.json(options), options);
  // A reviver runs code of the application for each value. If an invalid body were parsed again, the code would run
  // twice.
  const utf8 = options?.reviver
    ? undefined
    : compileUtf8('json', 'application/json', options, MAX_JSON_BYTES);
  if (!utf8) return whole;

  const isStrict = options?.strict !== false;
  const parse = (text: string): unknown => {
    if (text.length === 0) return {};
    if (isStrict && !OBJECT_OR_ARRAY.test(text)) throw new SyntaxError('strict');
    return JSON.parse(text);
  };
  const parser = { parse, refuse: bodyParser.json(withoutLimit(options)) };
  return function jsonParser(req, res, next) {
    const length = utf8.lengthOf(req);
    if (length < 0) whole(req, res, next);
    else readUtf8(req, length, utf8.limit, next, (text) => finish(req, res, next, text, parser));
  };
};

export const text: typeof api.text = (options) => {
  const whole = withLimit(bodyParser.text(options), options);
  const utf8 = compileUtf8('text', 'text/plain', options);
  if (!utf8) return whole;

  return function textParser(req: Parsed, res, next) {
    const length = utf8.lengthOf(req);
    if (length < 0) {
      whole(req, res, next);
      return;
    }
    readUtf8(req, length, utf8.limit, next, (body) => {
      req.body = body;
      next();
    });
  };
};

export const urlencoded: typeof api.urlencoded = (options) => {
  const whole = withLimit(bodyParser.urlencoded(options), options);
  const utf8 = compileUtf8('urlencoded', 'application/x-www-form-urlencoded', options);
  const parse = utf8 && compileFormParser(options);
  if (!parse) return whole;

  const parser = { parse, refuse: bodyParser.urlencoded(withoutLimit(options)) };
  return function urlencodedParser(req, res, next) {
    const length = utf8.lengthOf(req);
    if (length < 0) whole(req, res, next);
    else readUtf8(req, length, utf8.limit, next, (body) => finish(req, res, next, body, parser));
  };
};

/** The start of a JSON object or array. Linear time, because a bracket is not whitespace. */
const OBJECT_OR_ARRAY = /^[ \t\n\r]*[{[]/;

interface BodyReader {
  parse(text: string): unknown;
  /** body-parser's own parser, which creates the error for a text that `parse` cannot parse. */
  refuse: Middleware;
}

function finish(
  req: Parsed,
  res: ServerResponse,
  next: (err?: unknown) => void,
  text: string,
  { parse, refuse }: BodyReader,
): void {
  try {
    req.body = parse(text);
  } catch {
    // body-parser parses the text again to throw its exact error. It removes one byte order mark, as `readUtf8` has
    // already done. So add one that body-parser can remove.
    read(refuse, `\ufeff${text}`, res, next);
    return;
  }
  next();
}

/** Passes a body to a parser of body-parser, with a request that only has the headers and the events that it uses. */
function read(parser: Middleware, body: string, res: ServerResponse, next: (err?: unknown) => void): void {
  const req = Object.assign(new EventEmitter(), { headers: { 'transfer-encoding': 'chunked' } });
  Reflect.apply(parser, undefined, [req, res, next]);
  req.emit('data', Buffer.from(body));
  req.emit('end');
  // If body-parser cannot load the encodings, it otherwise waits for the rest of the body.
  Object.assign(req, { complete: true });
}

/** Returns the options without limits on length and type, because the fast path has already checked both. */
function withoutLimit<T extends Options>(options: T | undefined): T {
  return Object.create(options === undefined ? null : Object(options), {
    limit: { value: Number.POSITIVE_INFINITY },
    type: { value: () => true },
  });
}
