/**
 * A view as the response. §4.5 `res.render`
 */
import type { Response } from '../types';

type Callback = (err: unknown, html?: string) => void;

export const render: object & ThisType<Response> = {
  /** Render a view with the response's locals and send it; with a callback, hand it over instead. */
  render(view: string, options?: Record<string, unknown> | Callback, callback?: Callback) {
    const { req } = this;
    const done = typeof options === 'function' ? options : callback;
    const given: Record<string, unknown> = (typeof options === 'function' ? undefined : options) || {};
    given._locals = this.locals;
    req.app.render(
      view,
      given,
      done || ((err: unknown, html: string) => (err ? req.next(err) : this.send(html))),
    );
  },
};
