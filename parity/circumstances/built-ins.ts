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

/** Settings and options that Express and Node.js do not have. */
const NOT_OF_EXPRESS = [
  'bodyLimit',
  'deadline',
  'idle',
  'own connection',
  'pathShapes',
  'preCompressed',
  'requestId',
  'strict body limit',
  'strict host',
  'strict host fn',
  'strict paths',
  'strict paths fn',
  'stripMountPath',
  'traceparent',
  'web bodies',
  'web bodies fn',
];

export const POLLUTED: Circumstance = {
  what: 'Object.prototype has properties with the names of settings and options that Express does not have',
  beforeBuilding: () => {
    for (const name of NOT_OF_EXPRESS)
      Object.defineProperty(Object.prototype, name, {
        value: true,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    return () => {
      for (const name of NOT_OF_EXPRESS) Reflect.deleteProperty(Object.prototype, name);
    };
  },
};

function freeze(constructors: readonly unknown[]): void {
  for (const one of constructors as readonly (typeof Object)[]) {
    Object.freeze(one);
    Object.freeze(one.prototype);
  }
}
