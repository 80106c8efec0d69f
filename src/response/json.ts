/** The methods `res.json` and `res.jsonp`. §4.5, §2.2 `json …`, `jsonp callback name` */
import deprecateFor from 'depd';
import { directStore, type OwnMethods } from '../http/header-store';
import { readSetting } from '../internal/setting';
import { type BodyRules, express5, type JsonRules } from '../series';
import type { AnyApplication, AnyResponse, Part, Response } from '../types';
import { headers } from './headers';
import { type SendingResponse, send, sendText, withStatus } from './send';

const deprecate = deprecateFor('express');

const JSON_TYPE = 'application/json; charset=utf-8';

interface QueriedResponse extends SendingResponse {
  req: SendingResponse['req'] & { query: Record<string, unknown> };
}

/**
 * Creates the methods `json` and `jsonp`.
 *
 * @param own The methods `set`, `type` and `send`, to find out whether the application has overridden one.
 */
export function jsonMethods<Res extends QueriedResponse>(
  rules: BodyRules,
  own: OwnMethods & { readonly send: unknown },
): ThisType<Res> & Record<'json' | 'jsonp', (value?: unknown, ...rest: unknown[]) => Res> {
  return {
    /** Sends a value as JSON. The default `Content-Type` is `application/json; charset=utf-8`. */
    json(first, ...rest) {
      const isPair = rest.length === 1 && rules.acceptsStatus;
      const value = isPair ? takeStatus(this, first, rest[0], 'json') : first;
      const body = stringify(value, this.app, rules);
      const store = this.send === own.send ? directStore(this, own) : undefined;
      if (typeof body === 'string' && store) {
        sendText(this, body, JSON_TYPE, store, rules);
        return this;
      }
      if (!this.get('Content-Type')) this.set('Content-Type', 'application/json');
      return this.send(body);
    },

    /** Sends a value as JSON, or as a script that calls the function that the query names. */
    jsonp(first, ...rest) {
      const isPair = rest.length === 1 && rules.acceptsStatus;
      const value = isPair ? takeStatus(this, first, rest[0], 'jsonp') : first;
      return sendScript(this, stringify(value, this.app, rules), this.req.query);
    },
  };
}

export const json: Part<Response, 'json' | 'jsonp'> = jsonMethods<Response>(express5.response, {
  set: headers.set,
  type: headers.type,
  send: send.send,
});

/** Takes `(status, value)` or `(value, status)`: sets the status, and returns the value. */
function takeStatus(res: AnyResponse, first: unknown, second: unknown, method: 'json' | 'jsonp'): unknown {
  const isReversed = typeof second === 'number';
  const form = isReversed ? 'obj, status' : 'status, obj';
  deprecate(`res.${method}(${form}): Use res.status(status).${method}(obj) instead`);
  return isReversed ? withStatus(res, second, first) : withStatus(res, first, second);
}

interface ScriptResponse extends AnyResponse {
  send(body?: unknown): this;
}

/**
 * Sends JSON as a script that calls a function, or as it is if the query does not contain a callback name.
 *
 * @param beforeType Called before `Content-Type` is set.
 */
export function sendScript<Res extends ScriptResponse>(
  res: Res,
  body: string | undefined,
  query: Record<string, unknown>,
  beforeType?: () => void,
): Res {
  const callback = callbackOf(query[`${readSetting(res.app, 'jsonp callback name')}`]);
  if (!res.get('Content-Type')) {
    beforeType?.();
    res.set('X-Content-Type-Options', 'nosniff');
    res.set('Content-Type', 'application/json');
  }
  if (callback === undefined) return res.send(body);

  beforeType?.();
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
export function stringify(value: unknown, app: AnyApplication, rules: JsonRules): string | undefined {
  const escapes = rules.escapesJson && readSetting(app, 'json escape');
  // A cast: `JSON.stringify` has one overload for a function and one for a list, but none for a union of both.
  const replacer = readSetting(app, 'json replacer') as never;
  const spaces = readSetting(app, 'json spaces');
  // V8 has a fast path for `JSON.stringify` with one argument.
  const text = replacer || spaces ? JSON.stringify(value, replacer, spaces) : JSON.stringify(value);
  return escapes && typeof text === 'string' ? text.replace(/[<>&]/g, escapeUnit) : text;
}

/** Converts `<`, `>` or `&` to a JSON escape, so that no browser takes the response for HTML. */
function escapeUnit(character: string): string {
  return `\\u00${character.charCodeAt(0).toString(16)}`;
}

/** Returns the first callback name of a query value, without characters that no name needs. */
function callbackOf(value: unknown): string | undefined {
  const name = Array.isArray(value) ? value[0] : value;
  return typeof name === 'string' && name.length !== 0 ? name.replace(/[^[\]\w$.]/g, '') : undefined;
}

/**
 * Returns the script that calls the callback. The comment at its start prevents a callback name from making the
 * response a valid Flash file (Rosetta Flash). `typeof` prevents an error in a client that does not define the
 * function.
 */
function toScript(callback: string, body: string | undefined): string {
  // JSON allows U+2028 and U+2029 in a string. In JavaScript before ES2019 they end the line.
  const argument = (body ?? '').replace(/\u2028/g, '\\u2028').replace(/\u2029/g, '\\u2029');
  return `/**/ typeof ${callback} === 'function' && ${callback}(${argument});`;
}
