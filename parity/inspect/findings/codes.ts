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
  handlerMissing: {
    code: 'NOZOMI_HANDLER_MISSING',
    finds: 'a route or middleware whose handler is undefined, or no function',
    why: 'Express throws when it is registered. Often the name is not exported, or a module is loaded in a circle.',
    proof: 'the error of the router itself; the application is loaded without the handler',
  },
  notCalled: {
    code: 'NOZOMI_FACTORY_NOT_CALLED',
    finds:
      '`app.use(express.Router)`, `app.use(cors)` and the like, without the call that makes the middleware',
    why: 'The function returns middleware. As middleware itself it responds to nothing, and each request hangs.',
    proof:
      'the function is `express.Router` or a factory of `express`, or has the name and the parameters of one of a package',
  },
  neverEnds: {
    code: 'NOZOMI_REQUEST_HANGS',
    finds: 'a handler that neither responds nor calls `next`',
    why: 'Each request that reaches it waits until the client gives up.',
    proof:
      'its source does not name `next`, does not throw, and uses the response for headers, cookies and locals alone',
  },
  errorsFirst: {
    code: 'NOZOMI_ERROR_HANDLER_FIRST',
    finds: 'an error handler before all routes',
    why: 'Express passes an error to the error handlers after the layer that failed, so it gets no error of a route.',
    proof:
      'no route precedes it, routes follow it, and no other error handler follows; it does not look like one for body parsers',
  },
  noParser: {
    code: 'NOZOMI_BODY_WITHOUT_PARSER',
    finds: 'a handler that reads a member of `req.body` without a body parser',
    why: '`req.body` is undefined unless a middleware parses the body.',
    proof: 'the source of the handler, and the fact that no layer before it could parse a body',
  },
  pathWithoutSlash: {
    code: 'NOZOMI_PATH_WITHOUT_SLASH',
    finds: 'a path that begins with a letter or a parameter, such as `api`',
    why: 'The path of each request begins with a slash, so it matches none.',
    proof: 'the path as registered',
  },
  secondResponse: {
    code: 'NOZOMI_SECOND_RESPONSE',
    finds: 'a handler that responds twice',
    why: 'The second call throws ERR_HTTP_HEADERS_SENT. Often a `return` is missing.',
    proof: 'two calls that respond stand in one block, with no `return` or `throw` between them',
  },
  relativeFile: {
    code: 'NOZOMI_SEND_FILE_RELATIVE',
    finds: '`res.sendFile` with a relative path and without `root`',
    why: 'Express throws a TypeError: it would not know to which folder the path is relative.',
    proof: 'the path is a string in the source of the handler, without options',
  },
  staticMissing: {
    code: 'NOZOMI_STATIC_MISSING',
    finds: 'static files from a folder that does not exist',
    why: 'Each request passes on to the next handler. A relative folder is relative to the working directory.',
    proof: 'the file system, when the application has started: a note, because the folder may be made later',
  },
  view: {
    code: 'NOZOMI_VIEW_MISSING',
    finds:
      '`res.render` of a view that does not exist, without a view engine, or with one that is not installed',
    why: 'Express throws when the view is rendered.',
    proof:
      'the name in the source of the handler, the settings `views` and `view engine`, and the file system',
  },
  statusText: {
    code: 'NOZOMI_STATUS_TEXT',
    finds: "`res.status('404')`, with a string, in an application of Express 5",
    why: 'Express 5 throws a TypeError: the status must be an integer.',
    proof: 'the source of the handler',
  },
  query: {
    code: 'NOZOMI_QUERY_VALUE',
    finds:
      'in an application of Express 5, a write to `req.query`, or a read of a nested value such as `req.query.page.size`',
    why: 'Express 5 computes `req.query` at each read, so writes are lost; without the setting "query parser", values are not nested.',
    proof:
      'the source of the handler, the setting "query parser", and the fact that no handler defines `req.query`',
  },
  contextLost: {
    code: 'NOZOMI_CONTEXT_LOST',
    finds: 'a multer that loses the async context of an earlier handler',
    why: '`AsyncLocalStorage.getStore()` is undefined in the handlers after it, as in their loggers and tracers.',
    proof:
      'the middleware itself, called with a form in a context: its `next` runs outside; an earlier handler calls `run(…, next)`; a note unless a later handler calls `getStore()`',
  },
  memberUnset: {
    code: 'NOZOMI_MEMBER_UNSET',
    finds:
      'a handler that reads a member of `req.cookies`, `req.session`, `req.file`, `req.files` or `req.user`, which nothing sets',
    why: 'Express itself has none of these properties: a middleware before the handler sets them.',
    proof:
      'the source of the handler and of all functions before it: none sets the property, or passes the request to other code',
  },
  swapped: {
    code: 'NOZOMI_PARAMETERS_SWAPPED',
    finds: 'a handler with its parameters in another order, such as `(res, req)`',
    why: 'Express passes arguments by position, whatever the names of the parameters are.',
    proof: 'the names of the parameters',
  },
  statusAsBody: {
    code: 'NOZOMI_STATUS_AS_BODY',
    finds:
      'in an application of Express 5, a status as an argument of `res.send`, `res.json` or `res.redirect`, where Express 4 took it',
    why: 'Express 5 takes a status from `res.status()` and `res.sendStatus()` alone, and the one of a redirect first.',
    proof: 'the source of the handler: the status is a number',
  },
  removedMember: {
    code: 'NOZOMI_MEMBER_REMOVED',
    finds:
      'a call of `req.param`, `req.acceptsCharset` or the like, or of `res.sendfile`, in an application of Express 5',
    why: 'Express 5 does not have these functions: the call throws a TypeError.',
    proof: 'the source of the handler, and the prototypes of the application, which have no such function',
  },
  hostWithoutScheme: {
    code: 'NOZOMI_REDIRECT_WITHOUT_SCHEME',
    finds: '`res.redirect` to a host without a scheme, such as `www.example.com`',
    why: 'A browser takes it for a path relative to the URL of the request.',
    proof: 'the text in the source of the handler',
  },
  statusUnknown: {
    code: 'NOZOMI_STATUS_UNDEFINED',
    finds:
      '`res.status()` with a value that is undefined, or with `err.status`, which many errors do not have',
    why: 'Express 5 throws a TypeError, and Node.js refuses to send such a status.',
    proof:
      'the source of the handler; an error handler neither tests nor sets the property, and none before it does',
  },
  promiseSent: {
    code: 'NOZOMI_PROMISE_SENT',
    finds: 'a promise as the argument of `res.json` or `res.send`',
    why: 'A promise has no properties of its own, so it is sent as `{}`.',
    proof:
      'the source: the value is `fetch()`, `Promise.…`, `new Promise` or the call of an `async` function of the file, without `await`',
  },
  nextUndeclared: {
    code: 'NOZOMI_NEXT_UNDECLARED',
    finds: 'a handler that calls `next()` without declaring it',
    why: 'The call throws a ReferenceError.',
    proof: 'the scopes of the file, which declare no such name',
  },
  headerAfter: {
    code: 'NOZOMI_HEADER_AFTER_RESPONSE',
    finds: 'a handler that sets a header or a cookie after it has responded',
    why: 'The headers are sent with the response: the call throws ERR_HTTP_HEADERS_SENT.',
    proof: 'both calls stand in one block, with no `return` or `throw` between them',
  },
  silentCatch: {
    code: 'NOZOMI_CATCH_WITHOUT_RESPONSE',
    finds: 'a handler whose `catch` neither responds nor passes the error on',
    why: 'After an error, the request waits until the client gives up.',
    proof:
      'the `try` is the last statement of the handler and responds; the `catch` uses neither the request, the response nor `next`, and does not throw',
  },
  thrownLater: {
    code: 'NOZOMI_THROW_IN_CALLBACK',
    finds: 'a `throw` in a callback of `fs` or of a timer',
    why: 'Node.js calls it when the handler has returned. Express catches only what a handler itself throws, so the process ends.',
    proof: 'the source of the handler: no `try` in the callback contains the `throw`',
  },
  paramCompared: {
    code: 'NOZOMI_PARAM_COMPARED',
    finds: 'a comparison of a parameter with a number by `===`',
    why: 'Parameters are texts, so it is always false.',
    proof: 'the source of the handler, and the fact that no function before it changes the parameters',
  },
  unmounted: {
    code: 'NOZOMI_ROUTER_UNMOUNTED',
    finds: 'a router that no application uses',
    why: 'Its routes receive requests only after `app.use(path, router)`.',
    proof: 'the code only adds routes to it, or exports it to files that do not use what they load',
  },
  unmerged: {
    code: 'NOZOMI_MERGE_PARAMS_MISSING',
    finds: 'a handler that reads a parameter of the path that its router is mounted on',
    why: 'A router sees only the parameters of its own paths, unless it was created with `mergeParams: true`.',
    proof: 'the paths and options of the routers, and the source of the handler',
  },
  doubled: {
    code: 'NOZOMI_PREFIX_TWICE',
    finds: 'a path in a router that begins with the path that the router is mounted on',
    why: 'The path of a mount is removed before the router compares its own paths.',
    proof: 'both paths: a note, because it may be meant',
  },
  dashed: {
    code: 'NOZOMI_PARAM_WITH_DASH',
    finds: 'a dash in the name of a parameter, such as `/:user-id`',
    why: 'The name of a parameter ends at the dash.',
    proof: 'the path: a note, and a warning if a handler reads the name with the dash',
  },
  joined: {
    code: 'NOZOMI_PATH_JOINED',
    finds: '`__dirname` and a name that are joined without a slash',
    why: 'The result is the name of another file, beside the folder.',
    proof: 'the file system: the path exists with a slash, and does not exist without it',
  },
  listensTwice: {
    code: 'NOZOMI_LISTENS_TWICE',
    finds: 'two servers that listen on one port',
    why: 'Only the first one can: Node.js emits EADDRINUSE for the second.',
    proof: 'the arguments of both calls of `listen()`',
  },
  exampleSecret: {
    code: 'NOZOMI_SESSION_SECRET',
    finds: 'a session secret of an example, such as `keyboard cat`',
    why: 'An attacker who knows the secret can sign a cookie for any session.',
    proof: 'the options of the session; a note unless NODE_ENV is `production`',
  },
  cookieUnsent: {
    code: 'NOZOMI_SESSION_COOKIE_UNSENT',
    finds: 'a session cookie with `secure` on a server without TLS, and without `trust proxy`',
    why: 'Such a cookie is only set for connections that are secure to the knowledge of the application.',
    proof: 'the options of the session, the server, and the setting `trust proxy`',
  },
} as const satisfies Record<string, Code>;

/** The codes of mistakes that only `nozomi-parity dev` finds, because a request shows them. */
export const RUNNING_CODES = {
  blocks: {
    code: 'NOZOMI_HANDLER_BLOCKS',
    finds: 'a handler that keeps the process busy for more than 50 ms',
    why: 'Node.js runs one function at a time: meanwhile no other request is read or answered.',
    proof:
      'the time until the handler returns, without the handlers that it calls by `next()`, at its second such call',
  },
} as const satisfies Record<string, Code>;
