// An application and the requests to it, as JSON. fast-check generates and shrinks it, and `interpreter.ts` runs it on
// Express and on this build.

/** The major version of Express that the applications are written for. */
export type Series = 3 | 4 | 5;

/** @returns A path of 5.x in the syntax of a series: 4.x and 3.x write `?` for an optional part, and have no names for `*`. */
export function pathIn(series: Series, path: string): string {
  if (series === 5) return path;
  const optional = (_all: string, part: string): string => (part.includes('*') ? part : `${part}?`);
  return path.replace(/\{(.*)\}/, optional).replace(/\*\w+/, '*');
}

/**
 * A property as a path, such as `this.locals` or `http.ServerResponse.prototype`. It starts with `req`, `res`, `next`,
 * `this`, `router`, `framework`, `http`, `server` or an application. `app` is the application that contains the
 * statement; in listeners of the server it is the main application. `app0`, `app1` … are all applications in the order
 * of their creation.
 */
export type Place = string;

/** A JSON value, or `{ $: kind, v: … }` for values that JSON does not have. `value.ts` lists the kinds. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };

/** One statement of a handler, a listener, an override or a callback. */
export type Step =
  | { readonly call: Place; readonly args: readonly Value[]; readonly on?: Place }
  | { readonly read: Place }
  | { readonly assign: Place; readonly value: Value }
  | { readonly remove: Place }
  | { readonly next: readonly Value[] }
  | { readonly raise: Value }
  /** Runs the steps asynchronously. With `promise`, the handler returns the promise. */
  | { readonly later: 'nextTick' | 'immediate' | 'microtask' | 'promise'; readonly steps: readonly Step[] }
  | Override
  | { readonly accessor: Place; readonly value: Value; readonly settable: boolean }
  | { readonly freeze: Place; readonly how: 'freeze' | 'seal' | 'preventExtensions' }
  /** Replaces an object with one that inherits from it and has these members. */
  | { readonly replace: Place; readonly members: { readonly [name: string]: Value } };

/** Overrides a method, as middleware and APM agents do. The override calls the original unless `pass` is `none`. */
export interface Override {
  readonly override: Place;
  readonly before: readonly Step[];
  /** The arguments for the original method; `same` passes the given ones, `none` does not call it. */
  readonly pass: 'same' | 'none' | readonly Value[];
  readonly after: readonly Step[];
  /** Defines the override as a read-only property with `Object.defineProperty`, instead of assigning it. */
  readonly fixed?: true;
}

export interface Handler {
  /** The `length` of the function; 4 for an error handler, except in `param`. */
  readonly arity: number;
  readonly async?: boolean;
  /** How much of the request the handler records. */
  readonly look: 'nothing' | 'path' | 'all';
  readonly steps: readonly Step[];
}

/** A path as JSON. A regular expression is stored as its source, because each router needs its own object. */
export type PathSpec = string | { readonly regexp: string; readonly flags?: string } | readonly PathSpec[];

/** @returns The argument of a router for a path. */
export function toPath(path: PathSpec): unknown {
  if (typeof path === 'string') return path;
  return 'regexp' in path ? new RegExp(path.regexp, path.flags) : path.map(toPath);
}

export interface RouterSpec {
  readonly kind: 'application' | 'router';
  readonly options?: { readonly [name: string]: Value };
  readonly build: readonly Statement[];
}

export type FsFunction = 'stat' | 'statSync' | 'createReadStream' | 'readFile' | 'open' | 'read';

/** One statement of an application, outside of a request. */
export type Statement =
  | { readonly use: readonly Handler[]; readonly path?: PathSpec | undefined }
  | { readonly mount: RouterSpec; readonly path?: PathSpec | undefined }
  | {
      readonly route: string;
      readonly path: PathSpec;
      readonly handlers: readonly Handler[];
      readonly chain?: boolean;
    }
  | { readonly param: string; readonly handler: Handler }
  | { readonly set: string; readonly value: Value }
  | { readonly parser: string; readonly options?: Value }
  | { readonly files: Value; readonly path?: PathSpec | undefined }
  | { readonly log: Value; readonly options: { readonly [name: string]: Value } }
  | { readonly engine: string; readonly steps: readonly Step[]; readonly output: readonly Value[] }
  | { readonly middleware: string; readonly options?: Value }
  /** Replaces a function of `node:fs`: it throws, fails, or responds later and in small pieces. */
  | { readonly fs: FsFunction; readonly how: 'throw' | 'fail' | 'late' }
  | { readonly stack: 'hole' | 'reverse' | 'drop' | 'twice' }
  /** Mounts the application of `application.ts`, in the paths of this series. */
  | { readonly example: Series }
  | { readonly steps: readonly Step[] };

export interface Connection {
  /** The pieces to send, as latin1. Before the next piece, the client waits until the application does nothing more. */
  readonly send: readonly string[];
  /** Whether the client disconnects right after it has sent the last piece. */
  readonly aborts: boolean;
}

export interface Program {
  readonly build: readonly Statement[];
  /** Listeners of the server, before (`first`) or after the application. */
  readonly listeners: readonly {
    readonly event: string;
    readonly first: boolean;
    readonly steps: readonly Step[];
  }[];
  readonly actions: readonly (Connection | Statement)[];
}

/** What one run did: the data that each connection received, and the recorded events in order. */
export interface Transcript {
  readonly received: readonly string[];
  readonly events: readonly string[];
}

export const WAYS = ['listen', 'own'] as const;
/** How the application listens: `app.listen()`, or `http.createServer(app)`. */
export type Way = (typeof WAYS)[number];
