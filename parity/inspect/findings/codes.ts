/** The codes of `nozomi-parity doctor`. A spec compares these texts with the table in docs/routes-and-doctor.md. */

export interface Code {
  readonly code: string;
  /** The mistake, as text for a table cell. */
  readonly finds: string;
  /** The reason why it is a mistake. */
  readonly why: string;
  /** How `nozomi-parity doctor` verifies the mistake. */
  readonly proof: string;
}

/** All codes. A code must never be reused for another mistake. */
export const CODES = {
  shadowed: {
    code: 'NOZOMI_ROUTE_SHADOWED',
    finds: 'a route, middleware, router or application that no request reaches',
    why: 'An earlier layer matches every path and method of it, and ends the request there.',
    proof:
      'the shapes of both patterns, then requests played with the router; the earlier handler has the parameters `(req, res)` and its source contains no `next`',
  },
  errorArity: {
    code: 'NOZOMI_ERROR_HANDLER_ARITY',
    finds: 'an error handler with three parameters',
    why: 'Express calls only functions with exactly four parameters for errors. This function is called for every request, and for no error.',
    proof: 'the parameters are named `err, req, …`, and there are three of them',
  },
  afterRoutes: {
    code: 'NOZOMI_MIDDLEWARE_AFTER_ROUTES',
    finds:
      'a body parser, session, `cors` or similar middleware after all routes, or a guard after the routes that it should protect',
    why: 'Layers run in the order of registration, so it is never called for earlier routes.',
    proof:
      'no later layer in the tree could need it; a guard is a function with a path that calls `next()` or responds 401 or 403',
  },
  bodyBeforeParser: {
    code: 'NOZOMI_BODY_BEFORE_PARSER',
    finds: 'a handler that reads `req.body` before the body parser',
    why: 'The parser is registered after the route, so `req.body` is undefined there.',
    proof: 'the source of the handler, and the fact that no earlier layer could parse a body',
  },
  guard: {
    code: 'NOZOMI_GUARD_SPELLING',
    finds: 'a guard before static files that another spelling of the path bypasses',
    why: 'The router compares the path as it was sent, and static decodes it, so `/%61dmin/x` bypasses a guard on `/admin`.',
    proof:
      'two GET requests to the application for one file: it refuses one spelling and sends the file for the other',
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
    why: 'Express 4 ignores files that begin with a dot, but not files in such folders, so every client can read them.',
    proof: 'the folder has files, and `dotfiles` is not set',
  },
  sendFileDotFolder: {
    code: 'NOZOMI_SEND_FILE_DOT_FOLDER',
    finds: '`res.sendFile` without `root` in an application below a dot folder',
    why: 'Express 5 responds 404 if any folder of an absolute path begins with a dot, unless `root` or `dotfiles` is given.',
    proof: 'the source of the handler, which begins the path with `__dirname`, and the folder of its file',
  },
  trustProxy: {
    code: 'NOZOMI_TRUST_PROXY_PUBLIC',
    finds: '`trust proxy` with addresses of the public internet',
    why: 'A client with a trusted address can choose the values of `req.ip`, `req.hostname` and `req.protocol`.',
    proof:
      'the value of the setting: a warning for a prefix of seven bits or fewer (IPv6: sixteen), a note for `true` and for an address that may be your proxy',
  },
  sessionCookie: {
    code: 'NOZOMI_SESSION_COOKIE_SECURE',
    finds: 'a session cookie without `secure` behind TLS',
    why: 'The browser also sends the cookie over plain HTTP, where others on the network can read it.',
    proof:
      'the options of express-session or cookie-session, and the server; a note for `trust proxy` alone, and unless NODE_ENV is `production`',
  },
  undeclared: {
    code: 'NOZOMI_PACKAGE_UNDECLARED',
    finds: 'a package that only Express depends on',
    why: 'It will be missing if Express is replaced or no longer depends on it; Express 5 dropped several packages.',
    proof:
      'the packages that were loaded, and the package.json files above; a warning in the application itself, a note in a dependency',
  },
  copies: {
    code: 'NOZOMI_FRAMEWORK_COPIES',
    finds: 'several copies of the framework in one process',
    why: 'Each copy has its own prototypes and settings, so members that one adds to `req` and `res` are missing in the other.',
    proof:
      'the folders that were loaded; a warning if files of the application load several copies under one name, otherwise a note',
  },
  express4Path: {
    code: 'NOZOMI_PATH_EXPRESS_4',
    finds: 'a path in the syntax of Express 4',
    why: 'Express 5 refuses `*` without a name, `?`, `+`, `(` and `)` in paths, or gives them another meaning.',
    proof:
      'path-to-regexp 8 itself: a warning with Express 5, where it throws, a note with Express 4, where it works',
  },
} as const satisfies Record<string, Code>;
