/**
 * Sets and reads the headers of a response without validation by Node.js. §4.5
 *
 * Node.js stores the headers of a response in an object, under a private symbol: lower-case name → [name, value]. Its
 * `setHeader` validates name and value, which are valid here, and creates the object without a prototype, which V8
 * stores as a hash table; ours has a hidden class, so that V8 accesses its properties fast.
 *
 * The symbol is found by setting a header on a response without a request. If that fails (Bun, another Node.js), or if
 * code has wrapped `setHeader` or `getHeader` before this module was loaded, those methods are called.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Response } from '../types';

type Value = number | string | string[];

export type HeaderStore = Record<string, [name: string, value: Value] | undefined>;

type Stored = ServerResponse & Record<symbol, HeaderStore | null>;

const { end, getHeader, setHeader } = ServerResponse.prototype;
const kStore = findSymbol();

function findSymbol(): symbol | undefined {
  const probe = new ServerResponse(new IncomingMessage(undefined as never)) as Stored;
  setHeader.call(probe, 'X-Probe', 'value');
  const symbol = Object.getOwnPropertySymbols(probe).find(
    (each) => String(probe[each]?.['x-probe']) === 'X-Probe,value',
  );
  // Node.js's methods contain the name of the symbol in their source; wrappers do not.
  const isOfNode = (method: unknown): boolean => String(method).includes(symbol?.description as string);
  return symbol && isOfNode(setHeader) && isOfNode(getHeader) ? symbol : undefined;
}

/** No inherited names. */
const Store = function HeaderStore() {} as unknown as { new (): HeaderStore; prototype: object };
Store.prototype = Object.create(null);

/** The header store while headers can still be set; undefined if Node.js's methods must be called. */
export function openStore(res: ServerResponse): HeaderStore | undefined {
  if (!kStore || res.headersSent) return undefined;
  const stored = res as Stored;
  // Node.js has null there until the first header is set.
  if (stored[kStore] === null) stored[kStore] = new Store();
  return stored[kStore] ?? undefined;
}

/** As `setHeader.call(res, name, value)`, without validation. @param key The name in lower case. */
export function setCheckedHeader(
  res: ServerResponse,
  method: ServerResponse['setHeader'],
  [key, name, value]: readonly [key: string, name: string, value: string | number],
): void {
  const store = method === setHeader ? openStore(res) : undefined;
  if (store) store[key] = [name, value];
  else Reflect.apply(method, res, [name, value]);
}

/** `res.get`: the current value of a header. */
export function get(this: Response, name: string): string | undefined {
  // A number or a list if one was set; @types/express declares a string.
  return this.getHeader(name) as string | undefined;
}

/** Whether reading a header calls overridden methods. */
export function overridesReads(res: ServerResponse & { get: unknown }): boolean {
  return res.get !== get || res.getHeader !== getHeader;
}

/** Whether setting a header, or ending the response, calls overridden methods. */
export function overridesWrites(res: ServerResponse): boolean {
  return res.setHeader !== setHeader || res.end !== end;
}
