/** The methods `location`, `redirect` and `format` of the Express 3 response. §9.3 */
import { redirectMethods } from '../response/redirect';
import type { Part } from '../types';
import { parseOffer } from './accept';
import { mime } from './mime';
import { express3 } from './series';
import type { Handler, Response } from './types';

export const redirect: Part<Response, 'location' | 'redirect' | 'format'> = {
  ...redirectMethods<Response>(express3.response),

  /** Calls the handler for the preferred type, else `default`, else `next` with a 406 error. */
  format(handlers: Record<string, Handler>) {
    const { req } = this;
    const { default: otherwise, ...offered } = handlers;
    const types = Object.keys(offered);
    const key = req.accepts(types);

    this.vary('Accept');
    if (key !== undefined) {
      const type = parseOffer(key).value;
      const charset = mime.charsets.lookup(type);
      this.set('Content-Type', charset ? `${type}; charset=${charset}` : type);
      // As in Express, this throws if the application's own `req.accepts` returns a type without a handler.
      (offered[key] as Handler)(req, this, req.next);
    } else if (otherwise) {
      Reflect.apply(otherwise, undefined, []);
    } else {
      const error = new Error('Not Acceptable');
      req.next(Object.assign(error, { status: 406, types: types.map((type) => parseOffer(type).value) }));
    }
    return this;
  },
};
