/**
 * Reads the source text of a function to find what the function does. If the text is not available, `endsRequest`
 * and `continuesPlainly` return false; `mayRewrite` and `mayPassOn` return true. `continuesPlainly` and
 * `mayRewrite` recognise the functions in `LIBRARIES` by name.
 */

type AnyFunction = (...args: never[]) => unknown;

/** The source text of a function, divided after its parameters. */
export interface Source {
  readonly params: readonly string[];
  /** The text after the parameter list. */
  readonly body: string;
}

// The start of a function: "(req, res)", "async function name(req, res)", "name(req, res)" or "req =>".
const PARAMETERS = /^(?:async\s*)?(?:function\s*\*?\s*)?[\w$]*\s*\(([^()]*)\)|^(?:async\s+)?([\w$]+)\s*=>/;

/**
 * Reads the parameters and the body of a function.
 *
 * @returns Undefined for native and bound functions, and if the parameters contain parentheses.
 */
export function sourceOf(handler: AnyFunction): Source | undefined {
  const text = Function.prototype.toString.call(handler);
  const [head = '', list, single] = PARAMETERS.exec(text) ?? [];
  const params = single ?? list;
  if (params === undefined || /\{\s*\[native code\]\s*\}$/.test(text)) return undefined;
  return {
    params: params
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
    body: text.slice(head.length),
  };
}

// Names through which a function may reach the next handler without a parameter `next`. `sendFile` and `download` call
// `req.next()` for a folder.
const MAY_CONTINUE = /\b(?:next|arguments|eval|sendfile|sendFile|download)\b/;

/**
 * Whether a function certainly never calls `next()`: it has one or two parameters, `req` and `res`, and its source does
 * not match `MAY_CONTINUE`. The function may still throw, but then Express calls only error handlers.
 */
export function endsRequest(handler: AnyFunction): boolean {
  const source = sourceOf(handler);
  if (!source || handler.length === 0 || handler.length > 2 || source.params.length !== handler.length)
    return false;
  const [request = ''] = source.params;
  // `req[name]` could be `req.next`.
  const isComputed = /^[\w$]+$/.test(request) && source.body.includes(`${request}[`);
  return !isComputed && !MAY_CONTINUE.test(source.params.join() + source.body);
}

/** Names of middleware that never calls `next('route')` or `next('router')`, nor changes `req.url` or `req.method`. */
const LIBRARIES: ReadonlySet<string> = new Set(
  (
    'jsonParser urlencodedParser textParser rawParser cookieParser session _cookieSession serveStatic logger compression ' +
    'corsMiddleware helmetMiddleware query expressInit'
  ).split(' '),
);

// Calls of `next` without an argument or with an error. They do not skip a route or router.
const PLAIN_NEXT = /\bnext\(\s*(?:\)|(?:err|error|e|ex)\b|new\b|create\w*\()/g;

/** Whether a function only calls `next()` or `next(err)`, and never `next('route')` or `next('router')`. */
export function continuesPlainly(handler: AnyFunction): boolean {
  if (LIBRARIES.has(handler.name)) return true;
  const source = sourceOf(handler);
  if (source?.params[2] !== 'next') return false;
  return !/\b(?:next|arguments)\b/.test(source.body.replace(PLAIN_NEXT, ''));
}

/** Whether a function may assign `req.url` or `req.method`. */
export function mayRewrite(handler: AnyFunction): boolean {
  if (LIBRARIES.has(handler.name)) return false;
  const source = sourceOf(handler);
  return !source || /\b(?:url|method)\b['"]?\]?\s*=[^=>]|\b(?:url|method)\b\s*\(/.test(source.body);
}

/** Whether a function may pass the request to another function, so that its source does not show every use. */
export function mayPassOn(handler: AnyFunction): boolean {
  const source = sourceOf(handler);
  const [request = ''] = source?.params ?? [];
  if (!source || !/^[\w$]+$/.test(request)) return true;
  const name = request.replace(/\$/g, '\\$');
  return new RegExp(`[(,[=]\\s*${name}\\s*[,)\\];]|\\barguments\\b|\\.\\.\\.`).test(source.body);
}
