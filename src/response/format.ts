/** The method `res.format`. §4.5 · RFC 9110 §12 */
import createError from 'http-errors';
import { express5, type ResponseRules } from '../series';
import type { AnyRequest, AnyResponse, Handler, Next, Part, Response } from '../types';

interface Formatting extends AnyResponse {
  req: AnyRequest & { accepts(types: string[]): string | false; next: Next };
  vary(field: string): unknown;
}

type FormatMethod<Res extends Formatting> = ThisType<Res> & {
  format(handlers: Record<string, Handler<Res['req'], Res>>): Res;
};

/** @returns The method `format`. Its keys are media types or file extensions. */
export function formatMethod<Res extends Formatting>({
  toMediaType,
}: Pick<ResponseRules, 'toMediaType'>): FormatMethod<Res> {
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

export const format: Part<Response, 'format'> = formatMethod<Response>(express5.response);
