/** The data types of `nozomi-parity routes` and `nozomi-parity doctor`. All of them can be converted to JSON. */

import type { Described, Info } from 'nozomi/openapi';
import type { Coverage } from '../judge/report';

/** The file and line of a registration. */
export interface Site {
  /** The absolute path. */
  readonly file: string;
  /** The line number; the first line is 1. */
  readonly line: number;
  /** The column, from 1; not in JSON. */
  readonly column?: number;
  /** If `file` belongs to a library: the line of the application that called the library. */
  readonly from?: Site;
}

export interface HandlerNode {
  readonly id: number;
  readonly name: string;
  /** The handler as written in the call that registered it, such as `auth('admin')`; undefined for an inline function. */
  readonly expression?: string | undefined;
  /** The method in upper case; undefined if the handler is called for every method. */
  readonly method: string | undefined;
  readonly site: Site | undefined;
}

/** An application or router that is not mounted, or a layer of a router; with the layers below it. */
export interface TreeNode {
  /** The position of the node among all nodes and handlers, in the order in which a request passes them, from 0. */
  readonly id: number;
  readonly kind: 'application' | 'router' | 'route' | 'middleware' | 'error handler';
  /** The name of the layer's function; empty for a root. */
  readonly name: string;
  /** The layer's function as written in the call that registered it. */
  readonly expression?: string | undefined;
  /** The paths as registered; regular expressions as text. */
  readonly paths: readonly string[];
  /** The paths, including the mount paths of all outer routers and applications. */
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
  /** Whether the layer is `query` or `expressInit`, which Express 4 adds itself. */
  readonly isBuiltIn: boolean;
}

/** Whether the request of `--match` reaches a layer or handler. */
export interface Step {
  readonly id: number;
  readonly isCalled: boolean;
  /** Why the layer is not called, or why the request ends there; otherwise undefined. */
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
  /** How the request ends, as text for the user. */
  readonly end: string;
}

export type Severity = 'warning' | 'note';

export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  /** The mistake, in one sentence. */
  readonly message: string;
  readonly site: Site | undefined;
  /** What removes the finding: only what was tried on a copy of the application. */
  readonly fix?: string;
  /** What may remove the finding. It is not tried yet. */
  readonly change?: Change | undefined;
}

/** A change of source files, and what it does, as text for the user. */
export interface Change {
  readonly fix: string;
  readonly edits: readonly TextEdit[];
}

export interface TextEdit {
  /** The absolute path. */
  readonly file: string;
  readonly start: number;
  readonly end: number;
  /** What replaces the text between the positions. */
  readonly text: string;
}

/** The task of the child process. */
export interface Order {
  /** The path of the file that starts the application. */
  readonly file: string;
  readonly args: readonly string[];
  readonly match?: { readonly method: string; readonly target: string };
  /** The requests whose routes to find. */
  readonly requests?: ReadonlyArray<{
    readonly method: string;
    readonly target: string;
    /** The paths of the routes that ran their handlers for it; default: every route that it reaches. */
    readonly handled?: readonly string[];
  }>;
  /** What to write to an OpenAPI document beside what the application says; without it, no document is made. */
  readonly openapi?: { readonly info: Partial<Info> };
  /** Whether to run the checks of `nozomi-parity doctor`. */
  readonly isDoctor: boolean;
}

export interface Inspection {
  /** The applications and routers that are not mounted. If the server calls one of them, it is the first. */
  readonly roots: readonly TreeNode[];
  /** The Express version of each root: `5.x` or `4.x`. */
  readonly series: readonly string[];
  readonly match: Match | undefined;
  /** Which routes `requests` reach; undefined without them. */
  readonly coverage?: Coverage | undefined;
  /** The document of the first root; undefined without `Order.openapi`. */
  readonly openapi?: Described | undefined;
  readonly findings: readonly Finding[];
  /** Undefined without a server. */
  readonly ownConnection?: OwnConnection | undefined;
}

/** Whether the setting `own connection` takes effect. */
export interface OwnConnection {
  readonly isOn: boolean;
  readonly why: string;
}

export type Reply =
  | { readonly inspection: Inspection }
  /** Why the application could not be inspected, with the stack trace of the error. */
  | { readonly failure: string; readonly stack?: string | undefined };
