/** The type of an implementation, and the messages between the parent process and the child process. */

import type { Exchange } from '../client/messages';
import type { ServerAddress } from '../client/request';
import type { Transport } from '../transports/transport';
import type { Replacement } from './redirect';

/** The Express version of a scenario. Scenarios of 5.x omit it. */
export type Series = '3.x' | '4.x';

/** What the process of an application writes to standard output and standard error after all output. */
export const END_MARK = '\0end of the output\0';

export type Question =
  /** Starts the scenario with this name; without a name, the application in `file`. */
  | { readonly type: 'open'; readonly file: string; readonly name?: string | undefined }
  /** `opened` is the `call` that opened the server; `connections` counts the connections of the client. */
  | { readonly type: 'close'; readonly opened: number; readonly connections: number }
  | { readonly type: 'usage' };

/** A message to the child process. `call` is its number; the reply has the same one. */
export type ToChild = Question & { readonly call: number };

/** An HTTP server of an application. */
export interface ServerPlace extends ServerAddress {
  /** For messages: `port 3000`. */
  readonly name: string;
  /** The port that the application asked for; undefined if it left the choice to the system. */
  readonly asked?: number;
}

export type FromChild =
  | { readonly type: 'ready'; readonly call: 0 }
  | {
      readonly type: 'opened';
      readonly call: number;
      readonly port: number;
      /** Whether the server uses TLS, so that the client must, too. */
      readonly isSecure?: boolean;
      /** The servers of an application; the first one has `port`. */
      readonly servers?: readonly ServerPlace[];
      /** Warnings about what is not compared. */
      readonly remarks?: readonly string[];
      /** The folder of the Express that an application loads in place of its own copy. */
      readonly onlyCopy?: string;
    }
  | { readonly type: 'refused'; readonly call: number; readonly threw: string }
  | { readonly type: 'closed'; readonly call: number; readonly captured: Captured }
  /** The CPU time of the process in microseconds. */
  | { readonly type: 'used'; readonly call: number; readonly cpu: number };

/** What an application printed and logged, its deprecations, and the errors that it did not catch. */
export interface Captured {
  readonly log: readonly string[];
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly deprecations: readonly string[];
  /** Uncaught errors. Outside of a comparison they would end the application. */
  readonly uncaught: readonly string[];
  /** For each uncaught error, the number of connections accepted before it; only for a user's application. */
  readonly uncaughtAt?: readonly number[];
  /** The paths of the routes that ran their handlers, by request; only with `notesRoutes`. */
  readonly handled?: readonly (readonly string[])[];
  /** Whether the application has listeners for uncaught errors, so that they do not end it. */
  readonly catchesAll?: true;
}

/** A JavaScript runtime other than the Node.js of the parent process. */
export interface Runtime {
  /** The absolute path of its binary. */
  readonly command: string;
  /** The arguments that make it run a bundle of `child.ts`. */
  readonly args: readonly string[];
  /** The program that starts it, in Node.js, and passes messages on. */
  readonly program: string;
  /** The folder of the project there, if it is a copy. */
  readonly root?: string;
}

export interface Implementation {
  readonly name: string;
  /** An argument of `require`, resolved from the root of the project. */
  readonly framework: string;
  readonly logger: string;
  /** The value of `X-Powered-By` in the responses. */
  readonly identity: string;
  /** The series of Express whose scenarios the implementation plays; default 5.x. */
  readonly series?: Series;
  /** The entry point of the same package for Express 3, for scenarios and applications of Express 3. */
  readonly express3?: Implementation;
  /** The entry point of the same package for Express 4, for scenarios and applications of Express 4. */
  readonly express4?: Implementation;
  /** Whether to restore what Node.js has removed and Express 3 or its libraries use, see `removed.ts`. */
  readonly onOldRuntime?: true;
  /**
   * Whether the implementation behaves as Express (`reference`) or as the specification (`document`) where these two
   * differ.
   */
  readonly follows: 'reference' | 'document';
  /** The absolute path of the application to run instead of scenarios. */
  readonly application?: string;
  /** The packages to replace in the application, such as `express`. */
  readonly replacements?: readonly Replacement[];
  /** The command-line arguments of the application, for its `process.argv`. */
  readonly args?: readonly string[];
  /** The options of Node.js for the child process, such as a TypeScript loader. */
  readonly execArgv?: readonly string[];
  /** The working directory. Default: for an application that of the command, for scenarios the project root. */
  readonly cwd?: string;
  /** The transport for scenarios; default `listen`, which is HTTP/1.1 with `app.listen()`. */
  readonly transport?: Transport;
  /** What runs the scenarios; default: the Node.js of the parent process. */
  readonly runtime?: Runtime;
  /** Whether framework, logger and scenarios are loaded in a vm context, as by Jest; default: false. */
  readonly inRealm?: boolean;
  /** Whether Nozomi reads the connections of scenarios itself; default: false. */
  readonly hasOwnConnection?: true;
  /** The name of what stands around each scenario, see `circumstances/`; default: nothing. */
  readonly circumstance?: string;
  /** Whether loading a module throws while requests are served, see `loading.ts`; default: false. */
  readonly refusesLoading?: true;
  /** Whether output is written as usual, because collecting it would take time; default: false. */
  readonly isTimed?: true;
  /** Whether to note which routes run their handlers; default: false. */
  readonly notesRoutes?: true;
  /** The id of the process that has played, to recognise it in what was printed. */
  readonly pid?: number;
  /** The ports on which the servers of the application listen, each with what it asked for. */
  readonly ports?: ReadonlyArray<readonly [port: number, asked: string]>;
  /** The seed of the random values of the application; default: they differ in each run. */
  readonly seed?: number;
}

/** The exchanges and the output of a scenario or an application, normalised by `judge/normalise.ts`. */
export interface Observation extends Captured {
  /** The error that prevented the start, such as one that `build` threw. In that case there are no exchanges. */
  readonly threw?: string;
  /** Why there is no observation: the process ended or did not reply, or no recording exists. */
  readonly lost?: string;
  readonly exchanges: readonly Exchange[];
}
