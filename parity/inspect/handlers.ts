/** What the text of a function proves about it. Each question is answered no where the text leaves a doubt. */

type AnyFunction = (...args: never[]) => unknown;

/** Parameters of a function as they are written, and its whole text; undefined for functions without a text. */
export interface Source {
  readonly params: readonly string[];
  readonly text: string;
}

// "(req, res) =>", "async function name(req, res) {", "name(req, res) {", "req =>"
const PARAMETERS = /^(?:async\s*)?(?:function\s*\*?\s*)?[\w$]*\s*\(([^()]*)\)|^(?:async\s+)?([\w$]+)\s*=>/;

export function sourceOf(handler: AnyFunction): Source | undefined {
  const text = Function.prototype.toString.call(handler);
  const [, list, single] = PARAMETERS.exec(text) ?? [];
  const params = single ?? list;
  if (params === undefined || /\{\s*\[native code\]\s*\}$/.test(text)) return undefined;
  return {
    params: params
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
    text,
  };
}

// Ways to get at `next` without declaring it; `sendFile` and `download` call `next()` for a folder.
const MAY_CONTINUE = /\b(?:next|arguments|eval|sendfile|sendFile|download)\b/;

/**
 * Whether no handler behind this one is ever called, because nothing in it can call `next()`: it takes request and response only,
 * and its text names no other way. An error that it throws goes to error handlers, not to the next route.
 */
export function endsRequest(handler: AnyFunction): boolean {
  const source = sourceOf(handler);
  if (!source || handler.length === 0 || handler.length > 2 || source.params.length !== handler.length)
    return false;
  const [request = ''] = source.params;
  // `req[name]` could be `req.next`.
  const isComputed = /^[\w$]+$/.test(request) && source.text.includes(`${request}[`);
  return !isComputed && !MAY_CONTINUE.test(source.text);
}
