/**
 * An application and the requests to it, as plain data. The generator creates it, fast-check shrinks it, JSON stores
 * it, and `interpreter.ts` runs it on Express and on this build.
 *
 * A place is a path of names from `req`, `res`, `next`, `this`, `app` (the application of the handler; outside of
 * handlers the main one), `app0`, `app1` … (in the order of their creation), `router`, `framework`, `http` or
 * `server`, such as `this.locals` or `http.ServerResponse.prototype`.
 */
export type Place = string;

/** JSON, or `{ $: kind, v: … }` for other values: see `value.ts`. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };

/** One statement; it has exactly one of these members. */
export type Step =
  | { readonly call: Place; readonly args: readonly Value[]; readonly on?: Place }
  | { readonly read: Place }
  | { readonly assign: Place; readonly value: Value }
  | { readonly remove: Place }
  | { readonly next: readonly Value[] }
  | { readonly raise: Value }
  /** Runs later; with `promise` the handler returns it. */
  | { readonly later: 'nextTick' | 'immediate' | 'microtask' | 'promise'; readonly steps: readonly Step[] }
  | Override
  | { readonly accessor: Place; readonly value: Value; readonly settable: boolean }
  | { readonly freeze: Place; readonly how: 'freeze' | 'seal' | 'preventExtensions' }
  /** Replaces an object with one that inherits from it and has these members. */
  | { readonly replace: Place; readonly members: { readonly [name: string]: Value } };

/** Wraps a method, as middleware and APM agents do. */
export interface Override {
  readonly override: Place;
  readonly before: readonly Step[];
  /** The arguments of the original method: `same` for the given ones, `none` to skip the call. */
  readonly pass: 'same' | 'none' | readonly Value[];
  readonly after: readonly Step[];
  /** Whether the override is a read-only property, also where the application has a property of its own. */
  readonly fixed?: true;
}

export interface Handler {
  /** Declared parameters of the function; 4 for an error handler. */
  readonly arity: number;
  readonly async?: boolean;
  /** How much of the request the handler records. */
  readonly look: 'nothing' | 'path' | 'all';
  readonly steps: readonly Step[];
}

export type PathSpec = string | { readonly regexp: string; readonly flags?: string } | readonly PathSpec[];

export interface RouterSpec {
  readonly kind: 'application' | 'router';
  readonly options?: { readonly [name: string]: Value };
  readonly build: readonly Statement[];
}

/** A statement outside of a request. */
export type Statement =
  | { readonly use: readonly Handler[]; readonly path?: PathSpec }
  | { readonly mount: RouterSpec; readonly path?: PathSpec }
  | {
      readonly route: string;
      readonly path: PathSpec;
      readonly handlers: readonly Handler[];
      readonly chain?: boolean;
    }
  | { readonly param: string; readonly handler: Handler }
  | { readonly set: string; readonly value: Value }
  | { readonly parser: string; readonly options?: Value }
  | { readonly files: Value; readonly path?: PathSpec }
  | { readonly log: Value; readonly options: { readonly [name: string]: Value } }
  | { readonly engine: string; readonly steps: readonly Step[]; readonly output: readonly Value[] }
  | { readonly middleware: string; readonly options?: Value }
  | { readonly stack: 'hole' | 'reverse' | 'drop' | 'twice' }
  /** The application of `application.ts`. */
  | { readonly example: true }
  | { readonly steps: readonly Step[] };

export interface Connection {
  /**
   * The pieces to send, in latin1: one character is one byte. The client waits until no event follows before it sends
   * the next piece.
   */
  readonly send: readonly string[];
  /** Whether the client disconnects immediately, without waiting. */
  readonly aborts: boolean;
}

export interface Program {
  readonly build: readonly Statement[];
  /** Request listeners of the server, in addition to the application. */
  readonly listeners: readonly {
    readonly event: string;
    readonly first: boolean;
    readonly steps: readonly Step[];
  }[];
  readonly actions: readonly (Connection | Statement)[];
}

/** The observation of one run: the data that each connection received, and the events in order. */
export interface Observation {
  readonly received: readonly string[];
  readonly events: readonly string[];
}

export const WAYS = ['listen', 'own'] as const;
/** How the application listens: `app.listen()`, or `http.createServer(app)`. */
export type Way = (typeof WAYS)[number];
