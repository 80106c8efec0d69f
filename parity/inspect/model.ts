/** What `nozomi routes` and `nozomi doctor` know of an application: its tree, as data that JSON can hold. */

/** Where something was registered. */
export interface Site {
  /** Absolute path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** If the line is in a library: the line of the application that called it. */
  readonly from?: Site;
}

export interface HandlerNode {
  readonly id: number;
  readonly name: string;
  /** In upper case; undefined for every method. */
  readonly method: string | undefined;
  readonly site: Site | undefined;
}

/** A layer of a router, with what is below it. */
export interface TreeNode {
  /** Position in the order in which the application asks its layers, from 0. */
  readonly id: number;
  readonly kind: 'application' | 'router' | 'route' | 'middleware' | 'error handler';
  /** Of the function. */
  readonly name: string;
  /** As registered; a regular expression in its source form. Several where a list was registered. */
  readonly paths: readonly string[];
  /** With the paths of the routers and applications that it is mounted in. */
  readonly fullPaths: readonly string[];
  /** Names of the parameters in the path. */
  readonly params: readonly string[];
  /** Of a route: in upper case, `*` for all. */
  readonly methods: readonly string[];
  readonly site: Site | undefined;
  /** Of a router or an application: the names of the parameters that it has callbacks for. */
  readonly paramCallbacks: readonly string[];
  /** Of a route, in order. */
  readonly handlers: readonly HandlerNode[];
  /** Of a router or an application, in order. */
  readonly children: readonly TreeNode[];
  /** Express 4 itself adds it: `query` and `expressInit`. */
  readonly isBuiltIn: boolean;
}

/** What becomes of one layer or handler when a request is played to the tree. */
export interface Step {
  readonly id: number;
  readonly isCalled: boolean;
  /** Why it is not called, or what ends the request there. */
  readonly why: string | undefined;
  /** `req.params` when it is called. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** `req.url` when it is called: without the path that the layer is mounted on. */
  readonly url?: string;
}

export interface Match {
  readonly method: string;
  readonly target: string;
  readonly steps: readonly Step[];
  /** What happens where every handler calls `next()`. */
  readonly end: string;
}

export type Severity = 'warning' | 'note';

export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong here, in one sentence. */
  readonly message: string;
  readonly site: Site | undefined;
  readonly fix: string;
}

/** The request to the child process. */
export interface Order {
  /** Absolute path of the application. */
  readonly file: string;
  readonly args: readonly string[];
  readonly match?: { readonly method: string; readonly target: string };
  /** Whether the findings are wanted. */
  readonly isDoctor: boolean;
}

export interface Inspection {
  /** Roots: applications and routers that are mounted nowhere; the one that the server calls is the first. */
  readonly roots: readonly TreeNode[];
  /** `5.x` or `4.x`, of each root. */
  readonly series: readonly string[];
  readonly match: Match | undefined;
  readonly findings: readonly Finding[];
}

export type Reply =
  | { readonly inspection: Inspection }
  /** Why the application could not be inspected, and where it failed. */
  | { readonly failure: string; readonly stack?: string | undefined; readonly findings?: readonly Finding[] };
