/** Reads the source of a function for facts that are certain. In doubt, each of these functions returns false. */

type AnyFunction = (...args: never[]) => unknown;

/** The source of a function. */
export interface Source {
  readonly params: readonly string[];
  /** The text after the parameters. */
  readonly body: string;
}

// "(req, res) =>", "async function name(req, res) {", "name(req, res) {", "req =>"
const PARAMETERS = /^(?:async\s*)?(?:function\s*\*?\s*)?[\w$]*\s*\(([^()]*)\)|^(?:async\s+)?([\w$]+)\s*=>/;

/** @returns Undefined for a function of Node.js, a bound function, and one with calls in its parameters. */
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

// Names by which a function may continue without a parameter `next`; `sendFile` and `download` call `next()` for a
// folder.
const MAY_CONTINUE = /\b(?:next|arguments|eval|sendfile|sendFile|download)\b/;

/**
 * Whether a function never calls `next()`: it has only the parameters request and response, and its source contains
 * no other way. An error that it throws reaches error handlers, but not the next route.
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

/** Middleware, by function name, that never leaves its router early and never changes the target. */
const LIBRARIES: ReadonlySet<string> = new Set(
  (
    'jsonParser urlencodedParser textParser rawParser cookieParser session _cookieSession serveStatic logger compression ' +
    'corsMiddleware helmetMiddleware query expressInit'
  ).split(' '),
);

// The calls of `next` that neither skip a route nor leave a router.
const PLAIN_NEXT = /\bnext\(\s*(?:\)|(?:err|error|e|ex)\b|new\b|create\w*\()/g;

/** Whether a function only calls `next()` or `next(err)`: it never skips the rest of its route or its router. */
export function continuesPlainly(handler: AnyFunction): boolean {
  if (LIBRARIES.has(handler.name)) return true;
  const source = sourceOf(handler);
  if (source?.params[2] !== 'next') return false;
  return !/\b(?:next|arguments)\b/.test(source.body.replace(PLAIN_NEXT, ''));
}

/** Whether a function may change the target or the method of a request. */
export function mayRewrite(handler: AnyFunction): boolean {
  if (LIBRARIES.has(handler.name)) return false;
  const source = sourceOf(handler);
  return !source || /\b(?:url|method)\b['"]?\]?\s*=[^=>]|\b(?:url|method)\b\s*\(/.test(source.body);
}

/** Whether a function reads a member of the request: `req.body`, `{ body }`. */
export function readsMember(handler: AnyFunction, member: string): boolean {
  const source = sourceOf(handler);
  const [request = ''] = source?.params ?? [];
  if (!source) return false;
  if (/^[\w$]+$/.test(request)) {
    const name = request.replace(/\$/g, '\\$');
    return new RegExp(`\\b${name}\\.${member}\\b|\\{[^{}]*\\b${member}\\b[^{}]*\\}\\s*=\\s*${name}\\b`).test(
      source.body,
    );
  }
  return new RegExp(`^\\{.*\\b${member}\\b`).test(source.params.join());
}

/** Whether a function may pass the request to another function, whose source is not known. */
export function mayPassOn(handler: AnyFunction): boolean {
  const source = sourceOf(handler);
  const [request = ''] = source?.params ?? [];
  if (!source || !/^[\w$]+$/.test(request)) return true;
  const name = request.replace(/\$/g, '\\$');
  return new RegExp(`[(,[=]\\s*${name}\\s*[,)\\];]|\\barguments\\b|\\.\\.\\.`).test(source.body);
}
