/** `bodyParser`: runs `json`, `urlencoded` and `multipart` one after the other. §9.3 F-9.3-101 */
import deprecateFor from 'depd';
import { named } from '../../internal/named';
import { type JsonOptions, json } from './json';
import { compileMultipart, MULTIPART_NOTES, type MultipartOptions } from './multipart';
import type { Middleware } from './types';
import { type UrlencodedOptions, urlencoded } from './urlencoded';

/** The options of all three parsers. Each parser ignores options that only the others have. */
export interface BodyParserOptions
  extends Omit<JsonOptions, 'type'>,
    Omit<UrlencodedOptions, 'type'>,
    MultipartOptions {}

const deprecate = deprecateFor('connect');

/** Creates middleware that parses JSON, form and multipart bodies. It accepts uploads on every route. */
export function bodyParser(options: BodyParserOptions = {}): Middleware {
  const parseForm = urlencoded(options);
  deprecate(MULTIPART_NOTES.parser);
  deprecate(MULTIPART_NOTES.limit);
  const parseParts = compileMultipart(options);
  const parseJson = json(options);

  return named('bodyParser', (req, res, next) => {
    parseJson(req, res, (err) => {
      if (err) return next(err);
      parseForm(req, res, (err) => (err ? next(err) : parseParts(req, res, next)));
    });
  });
}
