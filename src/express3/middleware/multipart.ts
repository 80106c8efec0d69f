/**
 * `multipart`: parses forms with files and saves the files in a folder. It uses the package busboy. §9.3 F-9.3-34 …
 * F-9.3-44
 *
 * If parsing succeeds, the application must move or remove the files. If the request fails, this middleware removes
 * them.
 */
import { AsyncResource } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import deprecateFor from 'depd';
import createError from 'http-errors';
import qs from 'qs';
import typeIs from 'type-is';
import { named } from '../../internal/named';
import { toBytes } from './limit';
import { loadPackage } from './load-package';
import type { Express3Request, Middleware } from './types';
import { type CreateParser, Upload, type UploadedFile, type UploadOptions } from './upload';

export interface MultipartOptions extends UploadOptions {
  /** Whether to call `next` before the body is parsed, with `req.form` as an event emitter. Default false. */
  defer?: boolean | undefined;
  /** The maximum length of the body: bytes, or a string such as `'10mb'`. Default `'100mb'`. */
  limit?: number | string | undefined;
}

/** The files by the name of their form field; brackets in names create objects and arrays. */
export interface UploadedFiles {
  [name: string]: UploadedFile | UploadedFile[] | UploadedFiles;
}

type WithFiles = Express3Request & { files?: Record<string, unknown>; form?: Upload };

const DEFAULT_LIMIT = '100mb';
/** `unfold` passes qs at least this `arrayLimit`, and this `depth`, as `urlencoded` does. */
const [ARRAY_LIMIT, DEPTH] = [100, 32];

/** The warnings of Express 3, whose `multipart` also uses the deprecated `limit`. */
export const MULTIPART_NOTES = {
  parser: 'multipart: use parser (multiparty, busboy, formidable) npm module instead',
  limit: 'limit: Restrict request size at location of read',
} as const;

const deprecate = deprecateFor('connect');

/**
 * Creates middleware that sets `req.body` to the form fields and `req.files` to the files.
 *
 * @throws {Error} for an invalid `limit` or an unknown `hash`, and if busboy is missing or too old.
 */
export function multipart(options: MultipartOptions = {}): Middleware {
  // Two calls, because depd warns once per call site.
  deprecate(MULTIPART_NOTES.parser);
  deprecate(MULTIPART_NOTES.limit);
  return compileMultipart(options);
}

/**
 * Creates the same middleware as `multipart`, but prints no deprecation warnings.
 *
 * @throws {Error} for an invalid `limit` or an unknown `hash`, and if busboy is missing or too old.
 */
export function compileMultipart({ defer, limit = DEFAULT_LIMIT, ...options }: MultipartOptions): Middleware {
  const most = toBytes(limit);
  if (options.hash) createHash(options.hash);
  const createParser = loadPackage<CreateParser>('multipart', 'busboy', () => require('busboy'), {
    major: 1,
    manifest: () => require('busboy/package.json'),
  });

  return named('multipart', (req: WithFiles, _res, next) => {
    if (req._body) return next();
    req.body ||= {};
    req.files ||= {};
    if (req.method === 'GET' || req.method === 'HEAD' || !typeIs(req, ['multipart'])) return next();
    req._body = true;
    if (Number(req.headers['content-length']) > most) return next(createError(413));

    const form = new Upload(req, createParser, { ...options, limit: most });
    const [fields, files] = [gather(form, 'field'), defer ? {} : gather(form, 'file')];
    const done = AsyncResource.bind(next);
    form.on('error', (err) => defer || done(err));
    form.on('close', () => {
      try {
        req.body = unfold(fields);
        req.files = unfold(files);
      } catch (err) {
        form.fail(err);
        return;
      }
      if (!defer) done();
    });
    if (!defer) return;
    req.form = form;
    next();
  });
}

/** Collects the values of an event by field name. Each entry is an array, because names can repeat. */
function gather(form: Upload, event: 'field' | 'file'): Record<string, unknown[]> {
  // Without a prototype, because the client chooses the names.
  const values: Record<string, unknown[]> = Object.create(null);
  form.on(event, (name: string, value: unknown) => {
    values[name] ??= [];
    values[name].push(value);
  });
  return values;
}

/**
 * Converts names with brackets to nested objects: `user[name]` becomes a property of `user`. `__proto__` is ignored.
 */
function unfold(values: Record<string, unknown[]>): Record<string, unknown> {
  const flat = Object.entries(values).map(([name, list]) => [name, list.length === 1 ? list[0] : list]);
  return qs.parse(Object.fromEntries(flat), {
    allowPrototypes: true,
    arrayLimit: Math.max(ARRAY_LIMIT, flat.length, ...Object.values(values).map((list) => list.length)),
    depth: DEPTH,
    strictDepth: true,
  });
}
