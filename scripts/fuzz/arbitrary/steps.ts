/** Generates the statements that handlers, listeners and overrides run. */
import fc, { type Arbitrary } from 'fast-check';
import type { Handler, Override, Step, Value } from '../../../parity/programs/program';
import { type Calls, tables } from './tables';
import * as values from './values';

const { of, toArbitrary } = values;
type Generators = typeof values.NAMED;
const { request, response } = tables.steps;
const UNDEFINED: Value = { $: 'undefined' };

export const few = <T>(arbitrary: Arbitrary<T>, maxLength = 2): Arbitrary<T[]> =>
  fc.array(arbitrary, { maxLength, size: 'max' });

/** Generates from a random entry of a table. fast-check shrinks this better than a choice that depends on another. */
function oneOf<T, R>(
  table: Readonly<Record<string, T>>,
  toArbitrary: (name: string, each: T) => Arbitrary<R>,
): Arbitrary<R> {
  return fc.oneof(...Object.entries(table).map(([name, each]) => toArbitrary(name, each)));
}

/** Generates calls of one of the methods of a table. */
function callsOf(base: string, table: Calls, on?: string, named?: Generators): Arbitrary<Step> {
  return oneOf(table, (name, ways) => {
    const lists = ways.map((way) => fc.tuple(...way.map((each) => toArbitrary(each, named))));
    // Not `oneof` for one list: fast-check would shrink a further choice.
    const given = lists.length > 1 ? fc.oneof(...lists) : (lists[0] ?? fc.constant([]));
    return given.map((args) => ({ call: `${base}.${name}`, args, ...(on !== undefined && { on }) }));
  });
}

export const setting: Arbitrary<{ set: string; value: Value }> = oneOf(
  tables.steps.settings,
  (name, choice) => toArbitrary(choice).map((value) => ({ set: name, value })),
);

/**
 * Prototypes that statements may change. A repeated name is chosen more often. `SHARED` and `SHARED_REQUESTS` need the
 * option `shared`.
 */
const OWN_RESPONSES = ['app.response', 'app.response', 'app0.response', 'app1.response'];
const OWN_REQUESTS = ['app.request', 'app.request', 'app0.request', 'app1.request'];
const SHARED = ['framework.response', 'http.ServerResponse.prototype', 'http.OutgoingMessage.prototype'];
const SHARED_REQUESTS = ['framework.request', 'http.IncomingMessage.prototype'];

export const innerStep: Arbitrary<Step> = fc.oneof(
  { arbitrary: read('res', response.read), weight: 2 },
  { arbitrary: read('req', request.read), weight: 2 },
  { arbitrary: callsOf('req', tables.steps.questions), weight: 1 },
  { arbitrary: change(), weight: 3 },
  { arbitrary: assign(), weight: 2 },
);

/** Generates a step of an override: it uses `this`, uses the request or response, or throws. */
const overrideStep: Arbitrary<Step> = fc.oneof(
  { arbitrary: read('this', tables.steps.override.read), weight: 3 },
  {
    arbitrary: fc
      .constantFrom(...tables.steps.override.assigned)
      .map((name) => ({ assign: `this.${name}`, value: name === 'statusCode' ? 202 : 1 })),
    weight: 2,
  },
  { arbitrary: innerStep, weight: 2 },
  { arbitrary: values.raised.map((raise) => ({ raise })), weight: 1 },
);

function read(base: string, names: readonly string[]): Arbitrary<Step> {
  return fc.constantFrom(...names).map((name) => ({ read: `${base}.${name}` }));
}

function change(): Arbitrary<Step> {
  const { changes, past } = tables.steps;
  const direct = callsOf('res', changes);
  // Call these methods of Node.js directly, even if the application overrides them.
  const ofNode = Object.fromEntries(past.map((name) => [name, changes[name] ?? []]));
  return fc.oneof(
    { arbitrary: direct, weight: 12 },
    { arbitrary: callsOf('http.OutgoingMessage.prototype', ofNode, 'res'), weight: 1 },
  );
}

function assign(): Arbitrary<Step> {
  return oneOf(tables.steps.assigned, (place, choice) =>
    toArbitrary(choice).map((value) => ({ assign: place, value })),
  );
}

/**
 * Generates a step that changes a prototype or an application: overrides, defines, assigns or removes a member,
 * replaces the object, or freezes it.
 *
 * @param shared Whether the step may change objects that all applications of a process share.
 */
export function alter(shared: boolean): Arbitrary<Step> {
  const responses = [...OWN_RESPONSES, ...(shared ? [...SHARED, ...SHARED] : [])];
  const requests = [...OWN_REQUESTS, ...(shared ? [...SHARED_REQUESTS, ...SHARED_REQUESTS] : [])];
  const applications = ['app', 'app0', 'app1', ...(shared ? ['framework.application'] : [])];
  const place = fc.oneof(
    { arbitrary: join(responses, response.overridden), weight: 5 },
    { arbitrary: join(requests, request.overridden), weight: 2 },
    { arbitrary: join(applications, tables.steps.application.overridden), weight: 3 },
  );
  const property = fc.oneof(join(responses, response.assigned), join(requests, request.assigned));
  const object = fc.constantFrom(...responses, ...requests);
  return fc.oneof(
    { arbitrary: overrideOf(place), weight: 6 },
    { arbitrary: accessorOf(property), weight: 2 },
    {
      arbitrary: fc
        .tuple(fc.oneof(property, place), values.any)
        .map(([assigned, value]) => ({ assign: assigned, value })),
      weight: 2,
    },
    {
      arbitrary: fc.record({
        freeze: fc.oneof(
          { arbitrary: object, weight: 4 },
          { arbitrary: fc.constantFrom('app', 'app.locals', 'app.settings'), weight: 1 },
        ),
        how: fc.constantFrom('freeze', 'seal', 'preventExtensions'),
      }),
      weight: 1,
    },
    {
      arbitrary: fc.record({
        replace: fc.constantFrom(...OWN_RESPONSES, ...OWN_REQUESTS),
        members: fc.dictionary(fc.constantFrom('x', 'extra', 'hi'), of(1, 'a', { $: 'function', v: 'hi' }), {
          maxKeys: 2,
        }),
      }),
      weight: 1,
    },
    { arbitrary: fc.oneof(place, property).map((removed) => ({ remove: removed })), weight: 1 },
  ) as Arbitrary<Step>;
}

function join(bases: readonly string[], names: readonly string[]): Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...bases), fc.constantFrom(...names))
    .map(([base, name]) => `${base}.${name}`);
}

function overrideOf(place: Arbitrary<string>): Arbitrary<Override> {
  return fc.record({
    override: place,
    before: few(overrideStep),
    pass: values.mostly<Override['pass']>(
      fc.constant('same'),
      fc.oneof(fc.constant('none' as const), fc.array(values.any, { maxLength: 2 })),
      8,
    ),
    after: few(overrideStep, 1),
  }) as Arbitrary<Override>;
}

/**
 * Generates an accessor. Its getter has no side effect, because implementations may read a property more or less often.
 */
function accessorOf(place: Arbitrary<string>): Arbitrary<Step> {
  return fc.record({ accessor: place, value: values.any, settable: fc.boolean() });
}

/** Generates an override of a method of one request or response, as compression, sessions and APM agents define it. */
const wrap: Arbitrary<Step> = overrideOf(
  fc.oneof(
    { arbitrary: join(['res'], response.overridden), weight: 4 },
    { arbitrary: join(['req'], request.overridden), weight: 1 },
  ),
);

const late = (steps: Arbitrary<readonly Step[]>): Arbitrary<Step> =>
  fc.record({ later: fc.constantFrom('nextTick', 'immediate', 'microtask', 'promise'), steps });

const finish: Arbitrary<Step> = respond(fc.constant([]));

function respond(inner: Arbitrary<readonly Step[]>): Arbitrary<Step> {
  const { send, json, end, sendStatus, ...others } = tables.steps.responses;
  const callback = values.callback(inner);
  const formats = fc.constantFrom('html', 'text/plain', 'json', 'default', 'image/png', 'x');
  const named = {
    ...values.NAMED,
    done: fc.oneof(of(UNDEFINED), callback),
    formats: fc.dictionary(formats, callback, { maxKeys: 3 }),
  };
  return fc.oneof(
    { arbitrary: callsOf('res', { send, json, end, sendStatus } as Calls, undefined, named), weight: 3 },
    { arbitrary: callsOf('res', others, undefined, named), weight: 2 },
  );
}

const proceed: Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.constant({ next: [] }), weight: 6 },
  { arbitrary: of('route', 'router', UNDEFINED, null, 0, '').map((value) => ({ next: [value] })), weight: 2 },
  { arbitrary: values.raised.map((value) => ({ next: [value] })), weight: 2 },
);

/** Generates the steps of a handler. The last one usually sends a response or calls `next`. */
function stepsOf(last: Arbitrary<Step>, shared: boolean): Arbitrary<Step[]> {
  const middle = fc.oneof(
    { arbitrary: innerStep, weight: 60 },
    { arbitrary: wrap, weight: 10 },
    { arbitrary: alter(shared), weight: 6 },
    {
      arbitrary: setting.map(({ set, value }) => ({ call: 'app.set', args: [set, value] }) as Step),
      weight: 3,
    },
    { arbitrary: proceed, weight: 3 },
    { arbitrary: finish, weight: 5 },
    { arbitrary: late(few(fc.oneof(innerStep, proceed, finish))), weight: 4 },
  );
  const end = fc.oneof(
    { arbitrary: last, weight: 10 },
    { arbitrary: late(fc.tuple(last)), weight: 3 },
    { arbitrary: values.raised.map((raise) => ({ raise }) as Step), weight: 1 },
  );
  return fc
    .tuple(few(middle, 3), fc.option(end, { freq: 20 }))
    .map(([steps, step]) => (step ? [...steps, step] : steps));
}

function handler(last: Arbitrary<Step>, arity: Arbitrary<number>, shared: boolean): Arbitrary<Handler> {
  return fc.record({
    arity,
    async: fc.constantFrom(false, false, false, true),
    look: fc.constantFrom('nothing', 'path', 'path', 'all'),
    steps: stepsOf(last, shared),
  });
}

/**
 * @param shared Whether the steps may change objects that all applications of a process share.
 * @returns Generators of handlers that respond (`answering`) or call `next`, of error handlers, and of parameter callbacks.
 */
export function handlers(
  shared: boolean,
): Readonly<Record<'answering' | 'passing' | 'catching' | 'checking', Arbitrary<Handler>>> {
  const answering = respond(few(fc.oneof(innerStep, proceed, finish)));
  return {
    answering: handler(answering, fc.constantFrom(2, 2, 3, 1, 0), shared),
    passing: handler(proceed, fc.constantFrom(3, 3, 3, 2, 5), shared),
    catching: handler(fc.oneof(answering, proceed), fc.constant(4), shared),
    checking: handler(proceed, fc.constantFrom(3, 4, 5), shared),
  };
}
