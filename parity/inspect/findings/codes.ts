/**
 * The findings of `nozomi doctor`, one entry for each code. The table in docs/routes-and-doctor.md is generated from
 * it.
 */

export interface Code {
  readonly code: string;
  /** The mistake, as one line of a table. */
  readonly finds: string;
  /** The reason why it is a mistake. */
  readonly why: string;
  /** How the doctor proves it. */
  readonly proof: string;
}

/** A code is never reused for another finding. */
export const CODES = {
  shadowed: {
    code: 'NOZOMI_ROUTE_SHADOWED',
    finds: 'a route, middleware, router or application that no request reaches',
    why: 'An earlier layer takes every path and method of it and ends the request there.',
    proof:
      'the shapes of both patterns, then requests played with the router; the handler before it takes `(req, res)` and its text names no `next`',
  },
  errorArity: {
    code: 'NOZOMI_ERROR_HANDLER_ARITY',
    finds: 'an error handler with three parameters',
    why: 'Express calls functions of exactly four parameters with errors. This one is called with every request, and no error.',
    proof: 'the parameters are named `err, req, …`, and there are three of them',
  },
  afterRoutes: {
    code: 'NOZOMI_MIDDLEWARE_AFTER_ROUTES',
    finds:
      'a body parser, session, `cors` and the like behind all routes, or a guard behind those that it is for',
    why: 'Layers run in the order of registration: it is never called for the routes before it.',
    proof:
      'nothing that could need it follows in the tree; a guard is a function with a path that calls `next()` or responds 401 or 403',
  },
  bodyBeforeParser: {
    code: 'NOZOMI_BODY_BEFORE_PARSER',
    finds: 'a handler that reads `req.body` before the body parser',
    why: 'The parser is registered after the route, so `req.body` is undefined there.',
    proof: 'the text of the handler, and no layer before it that could parse a body',
  },
  guard: {
    code: 'NOZOMI_GUARD_SPELLING',
    finds: 'a guard in front of static files that another spelling of the path passes',
    why: 'The router compares the path as it was sent, and static decodes it: `/%61dmin/x` passes a guard on `/admin`.',
    proof: 'two GET requests to the application for one file: refused with one spelling, sent with the other',
  },
  dotFolderHidden: {
    code: 'NOZOMI_DOT_FOLDER_HIDDEN',
    finds: 'static files in `.well-known`, which Express 5 does not send',
    why: 'Express 5 ignores folders that begin with a dot unless `dotfiles: "allow"` is given; Express 4 sent them.',
    proof: 'the folder has files, and `dotfiles` is not set',
  },
  dotFolderSent: {
    code: 'NOZOMI_DOT_FOLDER_SENT',
    finds: 'static files in `.git` or another dot folder, which Express 4 sends',
    why: 'Express 4 ignores files that begin with a dot, but not files in folders that do: anybody can read them.',
    proof: 'the folder has files, and `dotfiles` is not set',
  },
  sendFileDotFolder: {
    code: 'NOZOMI_SEND_FILE_DOT_FOLDER',
    finds: '`res.sendFile` without `root` in an application below a dot folder',
    why: 'Express 5 responds 404 where any folder of an absolute path begins with a dot, unless `root` or `dotfiles` is given.',
    proof: 'the text of the handler, which begins the path with `__dirname`, and the place of its file',
  },
  trustProxy: {
    code: 'NOZOMI_TRUST_PROXY_PUBLIC',
    finds: '`trust proxy` with addresses of the public internet',
    why: 'A client with a trusted address decides what `req.ip`, `req.hostname` and `req.protocol` are.',
    proof:
      'the value of the setting: a warning for a prefix of seven bits or fewer (IPv6: sixteen), a note for `true` and for an address that may be your proxy',
  },
  sessionCookie: {
    code: 'NOZOMI_SESSION_COOKIE_SECURE',
    finds: 'a session cookie without `secure` behind TLS',
    why: 'The browser sends the cookie over plain HTTP too, where anybody on the way can read it.',
    proof:
      'the options of express-session or cookie-session, and the server; a note for `trust proxy` alone, and unless NODE_ENV is `production`',
  },
  undeclared: {
    code: 'NOZOMI_PACKAGE_UNDECLARED',
    finds: 'a package that only Express brings',
    why: 'It is missing as soon as Express is replaced, or drops it, as Express 5 dropped several.',
    proof:
      'what was loaded, and the package.json files above it; a warning in the application itself, a note in a dependency',
  },
  copies: {
    code: 'NOZOMI_FRAMEWORK_COPIES',
    finds: 'several copies of the framework in one process',
    why: 'Each has prototypes of its own: what one adds to `req` and `res`, and its settings, the other does not have.',
    proof:
      'the folders that were loaded; a warning where files of the application load several under one name, else a note',
  },
  express4Path: {
    code: 'NOZOMI_PATH_EXPRESS_4',
    finds: 'a path in the syntax of Express 4',
    why: 'Express 5 refuses `*` without a name, `?`, `+`, `(` and `)` in paths, or reads them otherwise.',
    proof:
      'path-to-regexp 8 itself: a warning with Express 5, where it throws, a note with Express 4, where it works',
  },
} as const satisfies Record<string, Code>;
