/**
 * Sets and reads response headers without the validation of Node.js. §4.5
 *
 * Node.js keeps the headers of a response in an object under a private symbol: lower-case name → [name, value].
 * `setHeader` validates both, which is not needed for values of this package, and creates the object without a
 * prototype, which V8 stores as a hash table. The object created here has a hidden class, so V8 reads it faster.
 *
 * The symbol is found by setting a header on a response without a request. Where that fails (Bun, another version of
 * Node.js), or where code wrapped `setHeader` or `getHeader` before this module was loaded, this module calls those
 * methods.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Response } from '../types';
import { constructible } from './constructible';

/** `false` for an invalid content type, as in Express; Node.js sends it as text. */
type Value = number | string | string[] | false;

export type HeaderStore = Record<string, [name: string, value: Value] | undefined>;

/** The private symbol of Node.js; its value is found below. */
declare const kHeaders: unique symbol;

/** Node.js stores null until the first header is set. */
type Stored = ServerResponse & { [kHeaders]?: HeaderStore | null };

const { end, getHeader, setHeader } = ServerResponse.prototype;
const kStore = findSymbol();

function findSymbol(): typeof kHeaders | undefined {
  // Node.js accepts a request without a socket; @types/node does not.
  const probe = new ServerResponse(new IncomingMessage(undefined as never));
  setHeader.call(probe, 'X-Probe', 'value');
  const symbol = Object.getOwnPropertySymbols(probe).find(
    (each): each is typeof kHeaders => String(Reflect.get(probe, each)?.['x-probe']) === 'X-Probe,value',
  );
  // The source of Node.js's methods contains the name of the symbol; the source of a wrapper does not.
  const isOfNode = (method: unknown): boolean => String(method).includes(`${symbol?.description}`);
  return symbol && isOfNode(setHeader) && isOfNode(getHeader) ? symbol : undefined;
}

/** A constructor without an inherited prototype: header names must not find inherited properties. */
const Store = constructible(function HeaderStore(this: HeaderStore) {});
Store.prototype = Object.create(null);

/** The header store while headers can still be set; undefined if the methods of Node.js must be called. */
export function openStore(res: Stored): HeaderStore | undefined {
  if (!kStore || res.headersSent) return undefined;
  if (res[kStore] === null) res[kStore] = new Store();
  return res[kStore] ?? undefined;
}

/** Does the same as `setHeader.call(res, name, value)`, without validation. @param key The name in lower case. */
export function setCheckedHeader(
  res: ServerResponse,
  method: ServerResponse['setHeader'],
  [key, name, value]: readonly [key: string, name: string, value: string | number],
): void {
  const store = method === setHeader ? openStore(res) : undefined;
  if (store) store[key] = [name, value];
  else Reflect.apply(method, res, [name, value]);
}

/** `res.get`: the value of a response header. */
export function get(this: Response, name: string): string | undefined {
  // The value is a number or a list if the application set one; @types/express declares a string.
  return this.getHeader(name) as string | undefined;
}

/** Whether reading a header would call a method that the application has overridden. */
export function overridesReads(res: ServerResponse & { get: unknown }): boolean {
  return res.get !== get || res.getHeader !== getHeader;
}

/** Whether setting a header, or ending the response, would call a method that the application has overridden. */
export function overridesWrites(res: ServerResponse): boolean {
  return res.setHeader !== setHeader || res.end !== end;
}
