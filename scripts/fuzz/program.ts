/**
 * A program: an application and what clients send to it, as plain data. The generator draws it, fast-check shrinks it,
 * JSON stores it, and `interpreter.ts` runs it on Express and on this build.
 *
 * A place is a path of names from `req`, `res`, `next`, `this`, `app` (the application of the handler; outside of
 * handlers the main one), `app0`, `app1` … (in the order in which they are made), `router`, `framework`, `http` or
 * `server`, such as `this.locals` or `http.ServerResponse.prototype`.
 */
export type Place = string;

/** JSON, and `{ $: kind, v: … }` for what JSON cannot say: see `value.ts`. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };

/** One statement. Exactly one of its members says which. */
export type Step =
  | { readonly call: Place; readonly args: readonly Value[]; readonly on?: Place }
  | { readonly read: Place }
  | { readonly assign: Place; readonly value: Value }
  | { readonly remove: Place }
  | { readonly next: readonly Value[] }
  | { readonly raise: Value }
  /** Run later; `promise` makes the handler return it. */
  | { readonly later: 'nextTick' | 'immediate' | 'microtask' | 'promise'; readonly steps: readonly Step[] }
  | Override
  | { readonly accessor: Place; readonly value: Value; readonly settable: boolean }
  | { readonly freeze: Place; readonly how: 'freeze' | 'seal' | 'preventExtensions' }
  /** Put an object that inherits from it, with these members, in place of it. */
  | { readonly replace: Place; readonly members: { readonly [name: string]: Value } };

/** Put a function around a method, as middleware and APM agents do. */
export interface Override {
  readonly override: Place;
  readonly before: readonly Step[];
  /** The arguments that reach the original; `same` for those that came, `none` not to call it. */
  readonly pass: 'same' | 'none' | readonly Value[];
  readonly after: readonly Step[];
  /** Also in place of the application's own: as a property that is not writable. */
  readonly fixed?: true;
}

export interface Handler {
  /** Parameters the function declares; 4 makes an error handler. */
  readonly arity: number;
  readonly async?: boolean;
  /** How much of the request is told when it is called. */
  readonly look: 'nothing' | 'path' | 'all';
  readonly steps: readonly Step[];
}

export type PathSpec = string | { readonly regexp: string; readonly flags?: string } | readonly PathSpec[];

export interface RouterSpec {
  readonly kind: 'application' | 'router';
  readonly options?: { readonly [name: string]: Value };
  readonly build: readonly Statement[];
}

/** What a program does outside of a request. */
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
  /** In latin1: one character is one byte. Between two pieces the client waits until nothing happens any more. */
  readonly send: readonly string[];
  /** Leave at once, not when nothing happens any more. */
  readonly aborts: boolean;
}

export interface Program {
  readonly build: readonly Statement[];
  /** Request listeners of the server, beside the application. */
  readonly listeners: readonly {
    readonly event: string;
    readonly first: boolean;
    readonly steps: readonly Step[];
  }[];
  readonly actions: readonly (Connection | Statement)[];
}

/** What one run of a program shows: what each connection received, and what happened, in order. */
export interface Observation {
  readonly received: readonly string[];
  readonly events: readonly string[];
}

export const WAYS = ['listen', 'own'] as const;
/** `app.listen()`, or a server of the program's own: `http.createServer(app)`. */
export type Way = (typeof WAYS)[number];
