/** The locals of Express 3: a function that copies properties to itself. §9.3 `app.locals`, `res.locals` */
import type { Locals } from './types';

/**
 * Creates locals with the properties of `former`. Calling the locals with an object copies its properties to them.
 *
 * Such a call does not copy `__proto__`, because the object may be a parsed body. `name` and `length` are read-only
 * properties of a function, so a call does not change them.
 */
export function createLocals(former?: Record<string, unknown>): Locals {
  const locals = <Values extends object>(values: Values): Values => {
    for (const name in values) if (name !== '__proto__') Reflect.set(locals, name, values[name]);
    return values;
  };
  // Not `name` and `length`: assigning them would throw.
  const { name: _name, length: _length, ...others } = former ?? {};
  return Object.assign(locals, others);
}
