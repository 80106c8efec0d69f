/**
 * Applications of several series in each other: each keeps the interface of its own. §9.3, E4-O
 */
import { inheritPrototypes, prototypeOf } from '../application/prototypes';
import type { AnyApplication } from '../types';

/** Whether an application is of the series whose responses inherit from `response`. */
export function isOfSeries(app: AnyApplication, response: object): boolean {
  return Object.prototype.isPrototypeOf.call(response, prototypeOf(app, 'response'));
}

/** A mounted application gets the prototypes of its parent where that is of the same series. */
export function inheritFromSeries(app: AnyApplication, parent: AnyApplication, response: object): boolean {
  const isSame = isOfSeries(parent, response);
  if (isSame) inheritPrototypes(app, parent);
  return isSame;
}

/** Calls `act`, in which an application of another series is mounted: it would take over the prototypes of its parent. */
export function keepPrototypes(app: AnyApplication, act: () => void): void {
  const objects = [prototypeOf(app, 'request'), prototypeOf(app, 'response')];
  const prototypes = objects.map((object) => Object.getPrototypeOf(object));
  act();
  for (const [index, object] of objects.entries()) Object.setPrototypeOf(object, prototypes[index]);
}
