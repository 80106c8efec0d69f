/** The types of `nozomi routes` and `nozomi doctor`: the tree of an application, which can be converted to JSON. */

/** The place of a registration. */
export interface Site {
  /** The absolute path. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** For a line of a library: the line of the application that called it. */
  readonly from?: Site;
}

export interface HandlerNode {
  readonly id: number;
  readonly name: string;
  /** The method in upper case; undefined for every method. */
  readonly method: string | undefined;
  readonly site: Site | undefined;
}

/** A layer of a router, with the layers below it. */
export interface TreeNode {
  /** The position in the order in which requests pass the layers, from 0. */
  readonly id: number;
  readonly kind: 'application' | 'router' | 'route' | 'middleware' | 'error handler';
  /** The name of the function. */
  readonly name: string;
  /** The paths as registered; a regular expression in its source form. */
  readonly paths: readonly string[];
  /** The paths with those of the routers and applications that the node is mounted in. */
  readonly fullPaths: readonly string[];
  /** The names of the parameters in the path. */
  readonly params: readonly string[];
  /** For a route: the methods in upper case, `*` for all. */
  readonly methods: readonly string[];
  readonly site: Site | undefined;
  /** For a router or an application: the names of the parameters with callbacks. */
  readonly paramCallbacks: readonly string[];
  /** For a route: its handlers in order. */
  readonly handlers: readonly HandlerNode[];
  /** For a router or an application: its layers in order. */
  readonly children: readonly TreeNode[];
  /** Whether Express 4 itself adds the layer: `query` and `expressInit`. */
  readonly isBuiltIn: boolean;
}

/** The result for one layer or handler when a request is played. */
export interface Step {
  readonly id: number;
  readonly isCalled: boolean;
  /** The reason why it is not called, or why the request ends there. */
  readonly why: string | undefined;
  /** `req.params` at the call. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** `req.url` at the call, without the path that the layer is mounted on. */
  readonly url?: string;
}

export interface Match {
  readonly method: string;
  readonly target: string;
  readonly steps: readonly Step[];
  /** The result if every handler calls `next()`. */
  readonly end: string;
}

export type Severity = 'warning' | 'note';

export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  /** The mistake, in one sentence. */
  readonly message: string;
  readonly site: Site | undefined;
  readonly fix: string;
}

/** The order that the child process receives. */
export interface Order {
  /** The absolute path of the application. */
  readonly file: string;
  readonly args: readonly string[];
  readonly match?: { readonly method: string; readonly target: string };
  /** Whether the reply contains findings. */
  readonly isDoctor: boolean;
}

export interface Inspection {
  /** The applications and routers that are not mounted. The server calls the first. */
  readonly roots: readonly TreeNode[];
  /** The Express version of each root: `5.x` or `4.x`. */
  readonly series: readonly string[];
  readonly match: Match | undefined;
  readonly findings: readonly Finding[];
}

export type Reply =
  | { readonly inspection: Inspection }
  /** The reason why the application could not be inspected, with the place. */
  | { readonly failure: string; readonly stack?: string | undefined; readonly findings?: readonly Finding[] };
