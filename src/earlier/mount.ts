/** Mounts applications of different series in each other; each keeps its own interface. §9.3, E4-O */
import { inheritPrototypes, prototypeOf } from '../application/prototypes';
import type { AnyApplication } from '../types';

/** Whether the responses of `app` inherit from `response`. */
export function isOfSeries(app: AnyApplication, response: object): boolean {
  return Object.prototype.isPrototypeOf.call(response, prototypeOf(app, 'response'));
}

/** Gives a mounted application the prototypes of its parent if both are of the same series. */
export function inheritFromSeries(app: AnyApplication, parent: AnyApplication, response: object): boolean {
  const isSame = isOfSeries(parent, response);
  if (isSame) inheritPrototypes(app, parent);
  return isSame;
}

/**
 * Calls `act`, which mounts an application of another series, and undoes its inheritance of the parent's prototypes.
 */
export function keepPrototypes(app: AnyApplication, act: () => void): void {
  const objects = [prototypeOf(app, 'request'), prototypeOf(app, 'response')];
  const prototypes = objects.map((object) => Object.getPrototypeOf(object));
  act();
  for (const [index, object] of objects.entries()) Object.setPrototypeOf(object, prototypes[index]);
}
