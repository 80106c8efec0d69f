/**
 * The methods `res.json` and `res.jsonp`. §4.5, §2.2 `json escape`, `json replacer`, `json spaces`, `jsonp callback
 * name`
 */
import type { AnyApplication, AnyRequest, AnyResponse, Part, Response } from '../types';
import { directStore } from '../wire/header-store';
import { readSetting } from '../wire/setting';
import { headers } from './headers';
import { send, sendText } from './send';

const JSON_TYPE = 'application/json; charset=utf-8';

export const json: Part<Response, 'json' | 'jsonp'> = {
  /** Sends a value as JSON. The default `Content-Type` is `application/json; charset=utf-8`. */
  json(value: unknown) {
    const body = stringify(value, this.app);
    const store = this.send === send.send ? directStore(this, headers) : undefined;
    if (typeof body === 'string' && store) {
      sendText(this, body, JSON_TYPE, store);
      return this;
    }
    if (!this.get('Content-Type')) this.set('Content-Type', 'application/json');
    return this.send(body);
  },

  /**
   * Sends a value as JSON. If the query contains a callback name, sends a script that calls the function of that name
   * with the value.
   */
  jsonp(value: unknown) {
    return sendScript(this, value);
  },
};

interface ScriptResponse extends AnyResponse {
  req: AnyRequest & { query: Record<string, unknown> };
  send(body?: unknown): this;
}

/** Sends a value as a script, or as JSON if the query does not contain a callback name. */
export function sendScript<Res extends ScriptResponse>(res: Res, value: unknown): Res {
  const body = stringify(value, res.app);
  const callback = callbackOf(res.req.query[`${readSetting(res.app, 'jsonp callback name')}`]);
  if (!res.get('Content-Type')) {
    res.set('X-Content-Type-Options', 'nosniff');
    res.set('Content-Type', 'application/json');
  }
  if (callback === undefined) return res.send(body);

  res.set('X-Content-Type-Options', 'nosniff');
  res.set('Content-Type', 'text/javascript');
  return res.send(toScript(callback, body));
}

/**
 * Converts a value to JSON, as the settings of the application require.
 *
 * @returns Undefined for a value that JSON cannot represent, such as a function.
 * @throws {TypeError} for a BigInt or a circular structure.
 */
export function stringify(value: unknown, app: AnyApplication): string | undefined {
  const escapes = readSetting(app, 'json escape');
  // A cast: `JSON.stringify` has one overload for a function and one for a list, but none for a union of both.
  const replacer = readSetting(app, 'json replacer') as never;
  const spaces = readSetting(app, 'json spaces');
  // V8 has a fast path for `JSON.stringify` with one argument.
  const text = replacer || spaces ? JSON.stringify(value, replacer, spaces) : JSON.stringify(value);
  return escapes && typeof text === 'string' ? text.replace(/[<>&]/g, escapeUnit) : text;
}

/**
 * Converts `<`, `>` or `&` to a JSON escape. Otherwise a browser that sniffs the content may take the response for
 * HTML.
 */
function escapeUnit(character: string): string {
  return `\\u00${character.charCodeAt(0).toString(16)}`;
}

/**
 * Returns the callback name in a query value, or undefined if there is none. Of several names, the first counts.
 * Removes all characters except ASCII letters, digits, `_`, `$`, `.`, `[` and `]`.
 */
export function callbackOf(value: unknown): string | undefined {
  const name = Array.isArray(value) ? value[0] : value;
  return typeof name === 'string' && name.length !== 0 ? name.replace(/[^[\]\w$.]/g, '') : undefined;
}

/**
 * Returns the script that calls the callback. The comment at its start prevents a callback name from making the
 * response a valid Flash file (Rosetta Flash). `typeof` prevents an error in a client that does not define the
 * function.
 */
export function toScript(callback: string, body: string | undefined): string {
  // JSON allows U+2028 and U+2029 in a string. In JavaScript before ES2019 they end the line.
  const argument = (body ?? '').replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029');
  return `/**/ typeof ${callback} === 'function' && ${callback}(${argument});`;
}
