/**
 * Sets and reads response headers in the object in which Node.js stores them. §4.5
 *
 * Node.js keeps the headers of a response under a private symbol: lower-case name → [name, value]. `setHeader`
 * validates name and value, which is not necessary for headers of this package. `setHeader` also creates the object
 * without a prototype, so V8 stores it as a hash table. The object created here has a hidden class, which V8 reads
 * faster.
 *
 * This module finds the symbol by setting a header on a probe response. It calls the methods of Node.js if it finds no
 * symbol (Bun, other versions of Node.js), or if code wrapped `setHeader` or `getHeader` before this module was loaded.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { constructible } from '../internal/constructible';
import type { Response } from '../types';

/** `false` stands for an invalid content type, as in Express. Node.js sends it as the text "false". */
type Value = number | string | string[] | false;

export type HeaderStore = Record<string, [name: string, value: Value] | undefined>;

/** The private symbol of Node.js. `findSymbol` finds it. */
declare const kHeaders: unique symbol;

/** A response of Node.js. The store is null until the first header is set. */
type Stored = ServerResponse & { [kHeaders]?: HeaderStore | null };

const { end, setHeader } = ServerResponse.prototype;
export const getHeader: ServerResponse['getHeader'] = ServerResponse.prototype.getHeader;
const kStore = findSymbol();

function findSymbol(): typeof kHeaders | undefined {
  const probe = probeResponse();
  setHeader.call(probe, 'X-Probe', 'value');
  const symbol = Object.getOwnPropertySymbols(probe).find(
    (each): each is typeof kHeaders => String(Reflect.get(probe, each)?.['x-probe']) === 'X-Probe,value',
  );
  // The source of Node.js's methods contains the name of the symbol; the source of a wrapper does not.
  const isOfNode = (method: unknown): boolean => String(method).includes(`${symbol?.description}`);
  return symbol && isOfNode(setHeader) && isOfNode(getHeader) ? symbol : undefined;
}

/** Creates a response without a connection, to find out what this version of Node.js does. */
export function probeResponse(): ServerResponse<IncomingMessage> {
  // A cast: Node.js accepts a request without a socket, but @types/node does not.
  const request = new IncomingMessage(undefined as never);
  Object.assign(request, { method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 });
  return new ServerResponse(request);
}

/** Creates header stores. They inherit nothing, because a header name must not find an inherited property. */
const Store = constructible(function HeaderStore(this: HeaderStore) {});
Store.prototype = Object.create(null);

/**
 * Returns the header store while headers can still be set. Returns undefined if the methods of Node.js must be called.
 */
function openStore(res: Stored): HeaderStore | undefined {
  if (!kStore || res.headersSent) return undefined;
  if (res[kStore] === null) res[kStore] = new Store();
  return res[kStore] ?? undefined;
}

/**
 * Returns the header store if headers can be set in it directly. Returns undefined if the application has overridden
 * `set`, `type`, `get`, `getHeader`, `setHeader` or `end`, if the headers have been sent, or if Node.js does not give
 * access to the store.
 *
 * @param own The methods of the Express version.
 */
export function directStore(res: Settable, { set, type }: OwnMethods): HeaderStore | undefined {
  const isOriginal =
    res.set === set &&
    res.type === type &&
    res.get === get &&
    res.getHeader === getHeader &&
    res.setHeader === setHeader &&
    res.end === end;
  return isOriginal ? openStore(res) : undefined;
}

export type OwnMethods = Readonly<Record<'set' | 'type', unknown>>;
type Settable = ServerResponse & OwnMethods & { readonly get: unknown };

/**
 * Sets a header like `method.call(res, name, value)`. The header is not validated if `method` is the `setHeader` of
 * Node.js.
 *
 * @param method The `setHeader` of the response.
 */
export function setCheckedHeader(
  res: ServerResponse,
  method: ServerResponse['setHeader'],
  [key, name, value]: readonly [key: string, name: string, value: string | number],
): void {
  const store = method === setHeader ? openStore(res) : undefined;
  if (store) store[key] = [name, value];
  else Reflect.apply(method, res, [name, value]);
}

/** `res.get`: returns the value of a response header. */
export function get(this: Response, name: string): string | undefined {
  // A cast, because @types/express declares a string. The value is a number or a list if the application has set one.
  return this.getHeader(name) as string | undefined;
}
