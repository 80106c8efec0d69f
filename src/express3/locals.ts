/**
 * Locals of the 3.x interface: a function that copies the properties of an object to itself. §9.3 `app.locals`,
 * `res.locals`
 */
import type { Locals } from './types';

/**
 * Locals with the properties of `former`. A call copies the properties of an object, except `__proto__`: the object may
 * be a parsed body. The function's own read-only properties (`name`, `length`) stay.
 */
export function createLocals(former?: object): Locals {
  const locals = (<Values extends object>(values: Values): Values => {
    for (const name in values) if (name !== '__proto__') Reflect.set(locals, name, values[name]);
    return values;
  }) as unknown as Locals;
  return Object.assign(locals, former);
}
