/** The method `res.format`. §4.5 · RFC 9110 §12 */
import createError from 'http-errors';
import mime from 'mime-types';
import type { AnyRequest, AnyResponse, Handler, Next, Part, Response } from '../types';

interface Formatting extends AnyResponse {
  req: AnyRequest & { accepts(types: string[]): string | false; next: Next };
  vary(field: string): unknown;
}

type FormatMethod<Res extends Formatting> = ThisType<Res> & {
  format(handlers: Record<string, Handler<Res['req'], Res>>): Res;
};

/**
 * Creates the method `format`.
 *
 * @param toMediaType Converts a key, which is a file extension or a media type, to a media type without parameters.
 */
export function formatMethod<Res extends Formatting>(
  toMediaType: (key: string) => string,
): FormatMethod<Res> {
  return {
    /** Calls the handler for the preferred media type, else `handlers.default`, else `next` with a 406 error. */
    format(handlers) {
      const { req } = this;
      const { next } = req;
      const keys = Object.keys(handlers).filter((key) => key !== 'default');
      const key = keys.length > 0 && req.accepts(keys);

      this.vary('Accept');
      if (key) {
        this.set('Content-Type', toMediaType(key));
        // As in Express, this throws if the application's own `req.accepts` returns a type without a handler.
        (handlers[key] as Handler<Res['req'], Res>)(req, this, next);
      } else if (handlers.default) handlers.default(req, this, next);
      else next(createError(406, { types: keys.map(toMediaType) }));
      return this;
    },
  };
}

export const format: Part<Response, 'format'> = formatMethod<Response>(toMediaType);

/** Converts a key of `format`, which is a file extension or a media type, to a media type without parameters. */
function toMediaType(key: string): string {
  if (!key.includes('/')) return mime.lookup(key) || 'application/octet-stream';
  return key.replace(/;.*/s, '').trim();
}
