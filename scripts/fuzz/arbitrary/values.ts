/** Generates the values that applications pass to the framework. Most are valid. */
import fc, { type Arbitrary } from 'fast-check';
import type { Step, Value } from '../../../parity/programs/program';
import { character } from '../../../spec/support/arbitraries/character';
import { type Choice, type Table, tables } from './tables';

const { options, values } = tables;

export const of = (...given: Value[]): Arbitrary<Value> => fc.constantFrom(...given);

/** Generates from `common` `weight` times as often as from `odd`. */
export function mostly<T>(common: Arbitrary<T>, odd: Arbitrary<T>, weight = 6): Arbitrary<T> {
  return fc.oneof({ arbitrary: common, weight }, { arbitrary: odd, weight: 1 });
}

const text: Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...values.texts), weight: 5 },
  { arbitrary: fc.string({ maxLength: 8 }), weight: 1 },
  { arbitrary: fc.string({ unit: character, maxLength: 4 }), weight: 1 },
);

type Generators = Table<Arbitrary<Value>>;
/** The generators that options of `tables.yaml` name. */
const BASIC: Generators = { boolean: fc.boolean(), text };

const kind = (name: string, v: Value = null): Value => ({ $: name, v });

const error: Arbitrary<Value> = optionsFrom(options.error, ['message']).map((v) => ({
  $: 'error',
  v,
}));

/** Generates values that a handler throws or passes to `next`. */
export const raised: Arbitrary<Value> = mostly(error, of(...values.raised), 2);

/** Generates objects that record when the framework reads them. Some also throw. */
const traps: Arbitrary<Value> = fc.oneof(
  fc.oneof(of('a', { b: 1 }, kind('undefined'), kind('buffer', 'x')), error).map((v) => ({ $: 'toJSON', v })),
  fc.oneof(of('a', 1, 'é'), error).map((v) => ({ $: 'toString trap', v })),
  fc.oneof(of('a', 1), error).map((v) => ({ $: 'getter', v })),
  of(kind('proxy', { a: 1 }), kind('proxy', [1, 2])),
);

export const odd: Arbitrary<Value> = fc.oneof(...values.odd.map((each) => of(...each)), traps, error);

export const any: Arbitrary<Value> = fc.oneof(text, odd);

/** Generates arguments of `res.json`. */
const json: Arbitrary<Value> = fc.oneof(of(...values.json), odd);

export const body: Arbitrary<Value> = fc.oneof(
  { arbitrary: fc.oneof(text, of('hello', '<p>é</p>')), weight: 4 },
  { arbitrary: of(kind('long', 'a'), kind('long', 'é')), weight: 1 },
  { arbitrary: json, weight: 2 },
  { arbitrary: odd, weight: 2 },
);

const headerName: Arbitrary<Value> = mostly(
  of(...values.headerName),
  fc.oneof(of(...values.oddHeaderName), odd),
  12,
);

const headerValue: Arbitrary<Value> = mostly(
  of(...values.headerValue),
  fc.oneof(of(...values.oddHeaderValue), odd),
  8,
);

const headers: Arbitrary<Value> = mostly(
  fc.dictionary(
    fc.constantFrom('X-A', 'x-b', 'Content-Type', 'content-length', 'ETag', 'Vary', 'Link', 'Connection'),
    headerValue,
    { maxKeys: 3 },
  ),
  fc.oneof(of(...values.headers), odd),
  5,
);

const status: Arbitrary<Value> = mostly(of(...values.status), fc.oneof(of(...values.oddStatus), odd), 10);
const mediaType: Arbitrary<Value> = mostly(of(...values.mediaType), fc.oneof(text, odd), 8);
const url: Arbitrary<Value> = mostly(of(...values.url), fc.oneof(text, odd), 8);
const cookieOptions: Arbitrary<Value> = mostly(optionsFrom(options.cookieOptions), odd);
export const sendOptions: Arbitrary<Value> = mostly(optionsFrom(options.sendOptions), odd);
export const file: Arbitrary<Value> = mostly(of(...values.file), odd, 8);

const links: Arbitrary<Value> = fc.oneof(
  fc.dictionary(fc.constantFrom('next', 'last'), fc.oneof(text, of(['/1', '/2'])), {
    maxKeys: 2,
  }) as Arbitrary<Value>,
  odd,
);

/** The generators that the other choices of `tables.yaml` name. */
export const NAMED: Generators = {
  ...BASIC,
  any,
  body,
  cookieOptions,
  error,
  file,
  headerName,
  headerValue,
  headers,
  json,
  links,
  mediaType,
  odd,
  sendOptions,
  status,
  url,
};

/**
 * Generates what a choice of `tables.yaml` describes.
 *
 * @throws TypeError if the choice names a generator that does not exist.
 */
export function toArbitrary(choice: Choice, named = NAMED): Arbitrary<Value> {
  if (typeof choice === 'string') {
    const found = named[choice];
    if (!found) throw new TypeError(`tables.yaml: there is no generator "${choice}"`);
    return found;
  }
  if ('oneOf' in choice) return fc.oneof(...choice.oneOf.map((each) => toArbitrary(each, named)));
  if ('mostly' in choice) return mostly(of(...choice.mostly), odd, 8);
  if ('arrayOf' in choice) return fc.array(toArbitrary(choice.arrayOf, named), { maxLength: 3 });
  if ('callback' in choice)
    return fc.oneof(of(...choice.values), callback(fc.constant([]), of(...choice.callback)));
  return of(...choice);
}

/** Generates an object with some options of a table; always with the required ones. */
export function optionsFrom(table: Table<Choice>, required: string[] = [], named = BASIC): Arbitrary<Value> {
  const options = Object.entries(table).map(([name, choice]) => [name, toArbitrary(choice, named)]);
  const model = Object.fromEntries(options) as Generators;
  return fc.record<Record<string, Value>>(model, { requiredKeys: required });
}

/**
 * Generates a callback that records its arguments and runs steps.
 *
 * @param v The value that the callback returns, or throws if it is an Error; default undefined.
 */
export function callback(
  steps: Arbitrary<readonly Step[]>,
  v: Arbitrary<Value> = of(kind('undefined')),
): Arbitrary<Value> {
  return fc.record({ $: fc.constant('function'), v, steps }) as unknown as Arbitrary<Value>;
}
