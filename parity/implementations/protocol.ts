/** The type of an implementation, and the messages between the parent process and the child process. */
import type { Replacement } from '../application/redirect';
import type { Exchange } from '../client/messages';
import type { Series } from '../scenario/scenario';
import type { Transport } from '../transports/transport';

export type Question =
  /** Without a name, the file is an application. */
  | { readonly type: 'open'; readonly file: string; readonly name?: string | undefined }
  /** `connections`: the number of connections that the client opened. */
  | { readonly type: 'close'; readonly opened: number; readonly connections: number };

/** `call` numbers the messages. The reply has the same number, which also identifies an opened scenario. */
export type ToChild = Question & { readonly call: number };

export type FromChild =
  | { readonly type: 'ready' }
  | {
      readonly type: 'opened';
      readonly call: number;
      readonly port: number;
      /** Whether the server uses TLS. */
      readonly isSecure?: boolean;
    }
  | { readonly type: 'refused'; readonly call: number; readonly threw: string }
  | { readonly type: 'closed'; readonly call: number; readonly captured: Captured };

/** The output of an application, and its uncaught errors. */
export interface Captured {
  readonly log: readonly string[];
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly deprecations: readonly string[];
  /** Uncaught errors. In a process of its own, the application would have ended. */
  readonly uncaught: readonly string[];
  /** For each uncaught error, the number of connections at that time. */
  readonly uncaughtAt?: readonly number[];
}

export interface Implementation {
  readonly name: string;
  /** An argument of `require`, resolved from the root of the project. */
  readonly framework: string;
  readonly logger: string;
  /** The value of `X-Powered-By`. */
  readonly identity: string;
  /** The Express version whose scenarios it plays; default 5.x. */
  readonly series?: Series;
  /** The entry point of the same package for Express 3, which plays the scenarios of §9.3. */
  readonly express3?: Implementation;
  /** The entry point of the same package for Express 4, which replaces Express 4 in an application. */
  readonly express4?: Implementation;
  /** Whether to restore functions that Node.js has removed and that libraries of Express 3 call. */
  readonly onOldRuntime?: true;
  /** Whether the specification or Express decides where they differ: see `divergences.ts`. */
  readonly follows: 'reference' | 'document';
  /** The absolute path of an application, instead of scenarios. */
  readonly application?: string;
  /** The packages to replace in the application. */
  readonly replacements?: readonly Replacement[];
  /** The arguments that the application finds in `process.argv`. */
  readonly args?: readonly string[];
  /** Options of Node.js. */
  readonly execArgv?: readonly string[];
  /** The working directory; default: that of the command. */
  readonly cwd?: string;
  /** The transport of scenarios; default `listen`. */
  readonly transport?: Transport;
  /** The seed of its random values. */
  readonly seed?: number;
}

/** The output and exchanges of a scenario with one implementation, without values that differ in each run. */
export interface Observation extends Captured {
  /** The error of `build`; there are no exchanges then. */
  readonly threw?: string;
  /** Why there is no observation: the process ended or did not reply. */
  readonly lost?: string;
  readonly exchanges: readonly Exchange[];
}
