/** Renders a view as the response of Express 3. §9.3 `res.render` */
import type { Part, RenderCallback } from '../types';
import type { Response } from './types';

export const render: Part<Response, 'render'> = {
  render(view: string, options?: object | RenderCallback, callback?: RenderCallback) {
    const { req } = this;
    const done = typeof options === 'function' ? (options as RenderCallback) : callback;
    const given = (typeof options === 'function' ? undefined : options) || {};
    // Not an assignment: Express 3 ignores, in sloppy mode, that a primitive or frozen value cannot have the property.
    Reflect.set(Object(given), '_locals', this.locals);
    req.app.render(view, given, done || ((err, html) => (err ? req.next(err) : this.send(html))));
  },
};
