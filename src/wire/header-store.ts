/**
 * The headers of a response, set and read without the checks of Node.js. §4.5
 *
 * Node.js keeps the headers of a response in an object, under a private symbol: lower-case name → [name, value]. Its
 * `setHeader` checks name and value, which are right where we set them, and makes the object one without a prototype, which
 * V8 keeps as a hash table; ours has a hidden class, so that V8 finds and enumerates its properties fast.
 *
 * The symbol is found by setting a header on a response that belongs to no request. Where that finds none (Bun, another
 * Node.js), or where something has wrapped `setHeader` or `getHeader` before this module was loaded, those methods are called.
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
  // The methods of Node.js have the name of the symbol in their source; functions that wrap them have not.
  const isOfNode = (method: unknown): boolean => String(method).includes(symbol?.description as string);
  return symbol && isOfNode(setHeader) && isOfNode(getHeader) ? symbol : undefined;
}

/** Names are inherited from nothing. */
const Store = function HeaderStore() {} as unknown as { new (): HeaderStore; prototype: object };
Store.prototype = Object.create(null);

/** The headers of a response that can still be set; undefined where only the methods of Node.js will do. */
export function openStore(res: ServerResponse): HeaderStore | undefined {
  if (!kStore || res.headersSent) return undefined;
  const stored = res as Stored;
  // Node.js has null there until the first header is set.
  if (stored[kStore] === null) stored[kStore] = new Store();
  return stored[kStore] ?? undefined;
}

/** As `setHeader.call(res, name, value)`, for a name and a value that need no check. @param key The name in lower case. */
export function setCheckedHeader(
  res: ServerResponse,
  method: ServerResponse['setHeader'],
  [key, name, value]: readonly [key: string, name: string, value: string | number],
): void {
  const store = method === setHeader ? openStore(res) : undefined;
  if (store) store[key] = [name, value];
  else method.call(res, name, value);
}

/** `res.get`: a header as it is set by now. */
export function get(this: Response, name: string): string | undefined {
  // A number or a list where that was set; @types/express has text only.
  return this.getHeader(name) as string | undefined;
}

/** Whether reading a header calls methods of the application. */
export function overridesReads(res: ServerResponse & { get: unknown }): boolean {
  return res.get !== get || res.getHeader !== getHeader;
}

/** Whether setting a header, or ending the response, calls methods of the application. */
export function overridesWrites(res: ServerResponse): boolean {
  return res.setHeader !== setHeader || res.end !== end;
}
