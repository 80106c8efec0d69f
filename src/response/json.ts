/**
 * JSON bodies: `json`, `jsonp`. §4.5, §2.2 `json escape`, `json replacer`, `json spaces`, `jsonp callback name`
 */
import type { AnyApplication, Part, Response } from '../types';
import { readSetting } from '../wire/setting';
import { sendText } from './send';

const JSON_TYPE = 'application/json; charset=utf-8';

export const json: Part<Response, 'json' | 'jsonp'> = {
  /** Sends a value as JSON. */
  json(value: unknown) {
    const body = stringify(value, this.app);
    if (typeof body === 'string' && sendText(this, body, JSON_TYPE)) return this;
    if (!this.get('Content-Type')) this.set('Content-Type', 'application/json');
    return this.send(body);
  },

  /**
   * Sends a value as JSON. If the query has a callback name, it sends a script that calls the function with the
   * value.
   */
  jsonp(value: unknown) {
    const body = stringify(value, this.app);
    const callback = callbackOf(this.req.query[`${readSetting(this.app, 'jsonp callback name')}`]);
    if (!this.get('Content-Type')) {
      this.set('X-Content-Type-Options', 'nosniff');
      this.set('Content-Type', 'application/json');
    }
    if (callback === undefined) return this.send(body);

    this.set('X-Content-Type-Options', 'nosniff');
    this.set('Content-Type', 'text/javascript');
    return this.send(toScript(callback, body));
  },
};

/** @returns The JSON; undefined for a value without JSON, such as a function. */
export function stringify(value: unknown, app: AnyApplication): string | undefined {
  const escapes = readSetting(app, 'json escape');
  // The types of `JSON.stringify` have one overload for a function and one for a list, but none for either.
  const replacer = readSetting(app, 'json replacer') as never;
  const spaces = readSetting(app, 'json spaces');
  // With one argument, V8 takes its fast path.
  const text = replacer || spaces ? JSON.stringify(value, replacer, spaces) : JSON.stringify(value);
  return escapes && typeof text === 'string' ? text.replace(/[<>&]/g, escapeUnit) : text;
}

/** Writes the character as a JSON escape, so that a browser that sniffs content finds no markup. */
function escapeUnit(character: string): string {
  return `\\u00${character.charCodeAt(0).toString(16)}`;
}

/** The callback name of the query (the first, if it has several), reduced to characters of a member expression. */
export function callbackOf(value: unknown): string | undefined {
  const name = Array.isArray(value) ? value[0] : value;
  return typeof name === 'string' && name.length !== 0 ? name.replace(/[^[\]\w$.]/g, '') : undefined;
}

/**
 * The script that calls the callback. Its comment prevents content sniffing (Rosetta Flash), and `typeof` prevents an
 * error in clients without the function.
 */
export function toScript(callback: string, body: string | undefined): string {
  // U+2028 and U+2029 end a line in JavaScript before ES2019, but not in JSON.
  const argument = (body ?? '').replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029');
  return `/**/ typeof ${callback} === 'function' && ${callback}(${argument});`;
}
