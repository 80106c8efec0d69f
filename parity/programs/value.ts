/** Creates values from the JSON of a generated application, and prints values as text for events. */
import { EventEmitter } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { types } from 'node:util';
import type { Step, Value } from './program';

/** What values with behaviour need from the interpreter: running steps, recording an event, the folder of files. */
export interface Context {
  readonly run: (steps: readonly Step[], self: unknown, args: readonly unknown[]) => unknown;
  readonly record: (event: string) => void;
  readonly files: string;
}

type Tagged = {
  readonly $: string;
  readonly v?: Value;
  readonly steps?: readonly Step[];
  readonly [name: string]: unknown;
};

export function revive(value: Value, context: Context): unknown {
  if (Array.isArray(value)) return value.map((each) => revive(each, context));
  if (typeof value !== 'object' || value === null) return value;
  if ('$' in value && typeof value.$ === 'string') return reviveTagged(value as unknown as Tagged, context);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, revive(each, context)]));
}

function reviveTagged(tagged: Tagged, context: Context): unknown {
  const make = KINDS[tagged.$];
  if (!make)
    throw new TypeError(
      `unknown kind of value "${tagged.$}", expected one of ${Object.keys(KINDS).join(', ')}`,
    );
  return make(tagged.v ?? null, context, tagged);
}

const KINDS: Readonly<Record<string, (v: Value, context: Context, tagged: Tagged) => unknown>> = {
  undefined: () => undefined,
  nan: () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  'negative zero': () => -0,
  bigint: (v) => BigInt(Number(v)),
  symbol: (v) => Symbol(String(v)),
  date: (v) => new Date(v === null ? Number.NaN : Number(v)),
  regexp: (v) => new RegExp(String(v)),
  long: (v) => String(v).repeat(40_000),
  buffer: (v) => Buffer.from(String(v), 'latin1'),
  uint8: (v) => new Uint8Array(Buffer.from(String(v), 'utf8')),
  float64: () => new Float64Array([1.5, 2]),
  dataview: () => new DataView(new ArrayBuffer(4)),
  arraybuffer: () => new ArrayBuffer(4),
  map: (v) => new Map([['a', v]]),
  set: (v) => new Set([v]),
  headers: (v) => new Map(Object.entries(v ?? {})),
  boxed: (v) => Object(v),
  hole: () => new Array(2),
  url: (v) => new URL(String(v), 'http://h/'),
  file: (v, { files }) => `${files}/${v}`,
  files: (_v, { files }) => files,
  'null prototype': () => Object.assign(Object.create(null), { a: 1 }),
  circular() {
    const object: Record<string, unknown> = { a: 1 };
    object.self = object;
    return object;
  },
  error(v, context) {
    const { message, name, ...members } = revive(v, context) as Record<string, unknown>;
    const error = name === 'TypeError' ? new TypeError(String(message)) : new Error(String(message));
    return Object.assign(error, members);
  },
  toJSON: (v, context) => ({
    a: 1,
    toJSON(...args: unknown[]) {
      context.record(`toJSON(${showAll(args)})`);
      return throwOr(v, context);
    },
  }),
  'toString trap': (v, context) => ({
    toString() {
      context.record('toString()');
      return throwOr(v, context);
    },
  }),
  getter: (v, context) =>
    Object.defineProperty({ b: 2 }, 'a', {
      enumerable: true,
      get() {
        context.record('getter a');
        return throwOr(v, context);
      },
    }),
  proxy: (v, context) =>
    new Proxy(revive(v, context) as object, {
      get(target, name, receiver) {
        context.record(`proxy ${String(name)}`);
        return Reflect.get(target, name, receiver);
      },
    }),
  function: (v, context, { steps }) =>
    function given(this: unknown, ...args: unknown[]) {
      context.record(`given(${showAll(args)})`);
      if (steps) context.run(steps, this, args);
      return throwOr(v, context);
    },
};

/** Creates a value and throws it if it is an Error, otherwise returns it. */
function throwOr(value: Value, context: Context): unknown {
  const revived = revive(value, context);
  if (revived instanceof Error) throw revived;
  return revived;
}

/** Objects to print by name, such as applications: their properties may differ between implementations. */
const names = new WeakMap<object, string>();

export function nameIt(object: object, name: string): void {
  names.set(object, name);
}

const DEPTH = 4;
const LENGTH = 300;

/**
 * Prints a value. Does not read accessors, because that would run code of the application.
 *
 * @param depth The number of levels of objects to print.
 */
export function show(value: unknown, depth: number = DEPTH): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > LENGTH ? `${value.slice(0, LENGTH)}… ${value.length}` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return String(value);
  const name = names.get(value);
  if (name) return name;
  if (types.isProxy(value)) return 'proxy';
  if (typeof value === 'function') return 'function';
  if (types.isNativeError(value)) return showError(value);
  if (types.isDate(value)) return `date ${Number.isNaN(value.getTime()) ? 'NaN' : ''}`;
  if (types.isAnyArrayBuffer(value)) return `bytes of ${value.byteLength}`;
  if (ArrayBuffer.isView(value))
    return `${Buffer.isBuffer(value) ? 'buffer' : 'view'} ${show(latin1(value))}`;
  if (types.isPromise(value)) return 'promise';
  if (types.isRegExp(value)) return String(value);
  if (value instanceof IncomingMessage) return 'req';
  if (value instanceof ServerResponse) return 'res';
  if (value instanceof EventEmitter) return 'emitter';
  if (depth === 0) return '…';
  const isArray = Array.isArray(value);
  const members = Object.entries(Object.getOwnPropertyDescriptors(value))
    .filter(([key, { enumerable }]) => enumerable && !(isArray && key === 'length'))
    .map(([key, property]) => {
      const text = 'value' in property ? show(property.value, depth - 1) : 'accessor';
      return isArray && /^\d+$/.test(key) ? text : `${JSON.stringify(key)}: ${text}`;
    });
  const prefix = !isArray && Object.getPrototypeOf(value) === null ? 'null-prototype ' : '';
  return isArray ? `[${members.join(', ')}]` : `${prefix}{${members.join(', ')}}`;
}

export function showAll(values: readonly unknown[]): string {
  return values.map((value) => show(value)).join(', ');
}

const ERROR_MEMBERS = [
  'status',
  'statusCode',
  'expose',
  'type',
  'code',
  'headers',
  'limit',
  'length',
  'view',
  'path',
];

function showError(error: Error): string {
  const read = (key: string): unknown => {
    const property = Object.getOwnPropertyDescriptor(error, key);
    return property && 'value' in property ? property.value : undefined;
  };
  const members = ERROR_MEMBERS.filter((key) => read(key) !== undefined).map(
    (key) => `${key}=${show(read(key), 1)}`,
  );
  const name =
    Object.prototype.toString.call(error) === '[object Error]'
      ? (error.constructor?.name ?? 'Error')
      : 'Error';
  return [`${name}: ${String(read('message') ?? '')}`, ...members].join(' ');
}

function latin1(view: ArrayBufferView): string {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('latin1');
}
