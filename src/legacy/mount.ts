/** Helps to mount applications of different Express versions in each other. Each keeps its own interface. §9.3, E4-O */
import { inheritPrototypes, prototypeOf } from '../application/prototypes';
import type { AnyApplication } from '../types';

/** Whether the responses of `app` inherit from `response`, the prototype of one Express version. */
export function isOfSeries(app: AnyApplication, response: object): boolean {
  return Object.prototype.isPrototypeOf.call(response, prototypeOf(app, 'response'));
}

/**
 * Makes the prototypes of a mounted application inherit from those of its parent if both have the same Express version.
 *
 * @param response The response prototype of the Express version of `app`.
 * @returns Whether both have the same Express version.
 */
export function inheritFromSeries(app: AnyApplication, parent: AnyApplication, response: object): boolean {
  const isSame = isOfSeries(parent, response);
  if (isSame) inheritPrototypes(app, parent);
  return isSame;
}

/**
 * Calls `act`, which mounts `app` on an application of another Express version. Then restores the prototypes of `app`.
 */
export function keepPrototypes(app: AnyApplication, act: () => void): void {
  const objects = [prototypeOf(app, 'request'), prototypeOf(app, 'response')];
  const prototypes = objects.map((object) => Object.getPrototypeOf(object));
  act();
  for (const [index, object] of objects.entries()) Object.setPrototypeOf(object, prototypes[index]);
}
