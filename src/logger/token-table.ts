/** Escapes the results of tokens. Each token is a property of the logger. L-2.4-26 L-4-04 */
import { escapeField } from './escape';

// biome-ignore lint/suspicious/noExplicitAny: applications type their own requests and responses
export type Callback = (this: any, ...args: any[]) => unknown;

/** The logger as the parameter `tokens` of a format: every token is a property. */
export type Tokens = Readonly<Record<string, Callback>>;

const kCallback: unique symbol = Symbol('callback');

interface TokenValue extends Callback {
  [kCallback]?: Callback;
}

/** Wraps the callback of a token, so that format strings and format functions receive its result escaped. */
export function escaped(callback: Callback): Callback {
  const token: TokenValue = function tokenValue(...args) {
    return escapeValue(callback.apply(this, args));
  };
  token[kCallback] = callback;
  return token;
}

/** Returns the callback without escaping, for formats that escape values themselves. */
export function unescaped(token: TokenValue | undefined): Callback | undefined {
  return token?.[kCallback] ?? token;
}

/**
 * Returns the same value as `tokens[name](req, res[, arg])`, for compiled formats.
 *
 * @throws {TypeError} if there is no such token.
 */
export function readToken(
  tokens: Tokens,
  name: string,
  arg: string | undefined,
  req: unknown,
  res: unknown,
): unknown {
  const token: TokenValue | undefined = tokens[name];
  if (typeof token !== 'function') throw new TypeError(`tokens.${name} is not a function`);
  const callback = token[kCallback];
  // Call the callback directly: its wrapper would allocate an array of arguments for every token of every line.
  const direct = callback ?? token;
  const value = arg === undefined ? direct.call(tokens, req, res) : direct.call(tokens, req, res, arg);
  return callback ? escapeValue(value) : value;
}

function escapeValue(value: unknown): unknown {
  return typeof value === 'string' ? escapeField(value) : value;
}
