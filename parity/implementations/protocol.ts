/** An implementation, and the messages between the harness and its process. */
import type { Replacement } from '../application/redirect';
import type { Exchange } from '../client/messages';
import type { Series } from '../scenario/scenario';
import type { Transport } from '../transports/transport';

export type Question =
  /** Without a name, the file is an application. */
  | { readonly type: 'open'; readonly file: string; readonly name?: string | undefined }
  /** `connections`: how many the client opened. */
  | { readonly type: 'close'; readonly opened: number; readonly connections: number };

/** `call` numbers the messages; the reply repeats it, and it identifies an opened scenario. */
export type ToChild = Question & { readonly call: number };

export type FromChild =
  | { readonly type: 'ready' }
  | {
      readonly type: 'opened';
      readonly call: number;
      readonly port: number;
      /** Over TLS. */
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
  /** Uncaught errors: they would have ended a process of its own. */
  readonly uncaught: readonly string[];
  /** For each uncaught error, the number of connections at that moment. */
  readonly uncaughtAt?: readonly number[];
}

export interface Implementation {
  readonly name: string;
  /** The argument of `require`, from the root of the project. */
  readonly framework: string;
  readonly logger: string;
  /** The name of the framework in `X-Powered-By`. */
  readonly identity: string;
  /** The series whose scenarios it plays; default 5.x. */
  readonly series?: Series;
  /** The 3.x series of the same package, which plays the scenarios of §9.3. */
  readonly express3?: Implementation;
  /** The 4.x series of the same package, which replaces Express 4 in an application. */
  readonly express4?: Implementation;
  /** Restore functions that Node.js has removed and that libraries of that time call. */
  readonly onOldRuntime?: true;
  /** Whether the document or Express decides where they differ: see `divergences.ts`. */
  readonly follows: 'reference' | 'document';
  /** Absolute path of an application, in place of scenarios. */
  readonly application?: string;
  /** Packages to replace in the application. */
  readonly replacements?: readonly Replacement[];
  /** Arguments of the application in `process.argv`. */
  readonly args?: readonly string[];
  /** Options of Node.js. */
  readonly execArgv?: readonly string[];
  /** Working directory; by default that of the command. */
  readonly cwd?: string;
  /** The transport of scenarios; by default `listen`. */
  readonly transport?: Transport;
  /** Seed of the random values that it draws. */
  readonly seed?: number;
}

/** All that a scenario shows with one implementation, without what varies by nature. */
export interface Observation extends Captured {
  /** The error of `build`; then there are no exchanges. */
  readonly threw?: string;
  /** Why there is no observation: the process ended or did not reply. */
  readonly lost?: string;
  readonly exchanges: readonly Exchange[];
}
