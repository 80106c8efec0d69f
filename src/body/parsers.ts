/**
 * The body parsers `json`, `raw`, `text` and `urlencoded`. §2.10
 *
 * `plain.ts` reads plain bodies with a faster reader and the same result (docs/performance.md). body-parser reads all
 * others and creates every parse error.
 */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Options } from 'body-parser';
import type { Members } from '../interface';
import { lazy } from '../wire/lazy';

const bodyParser = lazy<typeof import('body-parser')>(() => require('body-parser'));
const forms = lazy<typeof import('./form')>(() => require('./form'));
const plainBodies = lazy<typeof import('./plain')>(() => require('./plain'));

type Middleware = ReturnType<Members['json']>;
type Parsed = IncomingMessage & { body?: unknown };

/**
 * In bytes. Above this length the fast path gains little, and an invalid body is parsed twice, which would block the
 * event loop.
 */
const LONGEST_JSON = 128 * 1024;

export const raw: Members['raw'] = (options) => {
  return bodyParser().raw(options);
};

export const json: Members['json'] = (options) => {
  const { compilePlainLength, readPlain } = plainBodies();
  const whole = bodyParser().json(options);
  // A reviver runs code of the application for each value. Parsing an invalid body again would run it twice.
  const plain = options?.reviver
    ? undefined
    : compilePlainLength('json', 'application/json', options, LONGEST_JSON);
  if (!plain) return whole;

  const isStrict = options?.strict !== false;
  const parse = (text: string): unknown => {
    if (text.length === 0) return {};
    if (isStrict && !OBJECT_OR_ARRAY.test(text)) throw new SyntaxError('strict');
    return JSON.parse(text);
  };
  const refuse = bodyParser().json(withoutLimit(options));
  return function jsonParser(req, res, next) {
    const length = plain.lengthOf(req);
    if (length < 0) whole(req, res, next);
    else readPlain(req, length, plain.limit, next, (text) => finish(req, res, next, text, parse, refuse));
  };
};

export const text: Members['text'] = (options) => {
  const { compilePlainLength, readPlain } = plainBodies();
  const whole = bodyParser().text(options);
  const plain = compilePlainLength('text', 'text/plain', options);
  if (!plain) return whole;

  return function textParser(req: Parsed, res, next) {
    const length = plain.lengthOf(req);
    if (length < 0) {
      whole(req, res, next);
      return;
    }
    readPlain(req, length, plain.limit, next, (body) => {
      req.body = body;
      next();
    });
  };
};

export const urlencoded: Members['urlencoded'] = (options) => {
  const { compilePlainLength, readPlain } = plainBodies();
  const whole = bodyParser().urlencoded(options);
  const plain = compilePlainLength('urlencoded', 'application/x-www-form-urlencoded', options);
  const parse = plain && forms().compileFormParser(options);
  if (!parse) return whole;

  const refuse = bodyParser().urlencoded(withoutLimit(options));
  return function urlencodedParser(req, res, next) {
    const length = plain.lengthOf(req);
    if (length < 0) whole(req, res, next);
    else readPlain(req, length, plain.limit, next, (body) => finish(req, res, next, body, parse, refuse));
  };
};

/**
 * The first character of a JSON object or array, after whitespace. Linear: whitespace and brackets have no common
 * character.
 */
const OBJECT_OR_ARRAY = /^[ \t\n\r]*[{[]/;

function finish(
  req: Parsed,
  res: ServerResponse,
  next: (err?: unknown) => void,
  text: string,
  parse: (text: string) => unknown,
  refuse: Middleware,
): void {
  try {
    req.body = parse(text);
  } catch {
    // body-parser parses the text again to throw its exact error.
    const again = Object.assign(new EventEmitter(), { headers: { 'transfer-encoding': 'chunked' } });
    // body-parser reads only these properties of a request.
    refuse(again as unknown as IncomingMessage, res, next);
    // body-parser removes a byte order mark; `text` no longer has one.
    again.emit('data', Buffer.from(`\ufeff${text}`));
    again.emit('end');
    return;
  }
  next();
}

/** The options without the checks of length and type, which the fast path has already made. */
function withoutLimit<T extends Options>(options: T | undefined): T {
  return Object.create(Object(options), {
    limit: { value: Number.POSITIVE_INFINITY },
    type: { value: () => true },
  });
}
