/** Built-in objects that a package or an attacker has extended, or that a test runner has frozen. */
import type { Circumstance } from './circumstance';

/** Without Function and Error, with which Express does not load if they are frozen: depd and router assign to them. */
const CONSTRUCTORS = [
  Object,
  Array,
  Promise,
  Map,
  Set,
  WeakMap,
  Symbol,
  RegExp,
  Date,
  String,
  Number,
  Boolean,
];
const ASSIGNED = [Function, Error, TypeError, RangeError, SyntaxError, URIError];

export const FROZEN_BEFORE: Circumstance = {
  what: 'built-in objects are frozen before the framework is loaded',
  beforeLoading: () => freeze(CONSTRUCTORS),
};

export const FROZEN_AFTER: Circumstance = {
  what: 'built-in objects, with those of errors, are frozen before the application is built',
  beforeBuilding: () => {
    freeze([...CONSTRUCTORS, ...ASSIGNED]);
    return () => {};
  },
  reasonNotPlayed: ({ scenario: { series } }, { deprecations }) => {
    if (deprecations.length > 0) return 'a deprecation warning, for which Express assigns to Error';
    return series === '3.x' ? 'middleware of Express 3, which loads later and assigns to Error' : undefined;
  },
};

function freeze(constructors: readonly unknown[]): void {
  for (const one of constructors as readonly (typeof Object)[]) {
    Object.freeze(one);
    Object.freeze(one.prototype);
  }
}
