/**
 * Creates the locals of the 3.x interface: a function that copies the properties of an object to itself. §9.3
 * `app.locals`, `res.locals`
 */
import type { Locals } from './types';

/**
 * Creates locals with the properties of `former`. A call copies the properties of an object, except `__proto__`,
 * because the object may be a parsed body, and except the read-only properties of functions (`name`, `length`).
 */
export function createLocals(former?: Record<string, unknown>): Locals {
  const locals = <Values extends object>(values: Values): Values => {
    for (const name in values) if (name !== '__proto__') Reflect.set(locals, name, values[name]);
    return values;
  };
  return Object.assign(locals, former);
}
