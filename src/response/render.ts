/** Renders a view as the response. §4.5 `res.render` */
import type { Part, RenderCallback, Response, ViewLocals } from '../types';

export const render: Part<Response, 'render'> = {
  /** Renders a view with `res.locals`, and sends it or calls `callback`. An error goes there, or to `next`. */
  render(view: string, options?: ViewLocals | RenderCallback, callback?: RenderCallback) {
    const { req } = this;
    const done = typeof options === 'function' ? options : callback;
    const given: ViewLocals = (typeof options === 'function' ? undefined : options) || {};
    given._locals = this.locals;
    req.app.render(view, given, done || ((err, html) => (err ? req.next(err) : this.send(html))));
  },
};
