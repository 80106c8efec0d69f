/**
 * Locals of the 3.x interface: an object that can be called, with more of them. §9.3 `app.locals`, `res.locals`
 */
import type { Locals } from './types';

/**
 * Locals with the members of `former`. Called, they take over the members of an object, all but `__proto__`: it may
 * be a parsed body. Members that a function has and cannot lose (`name`, `length`) stay as they are.
 */
export function createLocals(former?: object): Locals {
  const locals = (<Values extends object>(values: Values): Values => {
    for (const name in values) if (name !== '__proto__') Reflect.set(locals, name, values[name]);
    return values;
  }) as unknown as Locals;
  return Object.assign(locals, former);
}
