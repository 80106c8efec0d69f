/** `req.signal` of Node.js 24.16: aborted when the connection is lost, but not after the response. */
import { EventEmitter } from 'node:events';
import { IncomingMessage } from 'node:http';

/** Stops `req.signal` from being aborted, because the response is finished. */
export function detachSignal(req: IncomingMessage): void {
  if (detachKey) Reflect.get(req, detachKey).call(req);
}

/** Finds the private method by what it does, because Node.js may rename it. Undefined before Node.js 24.16. */
function findDetachKey(): symbol | undefined {
  if (!('signal' in IncomingMessage.prototype)) return undefined;
  const socket = new EventEmitter();
  const request: object = Reflect.construct(IncomingMessage, [socket]);
  return Object.getOwnPropertySymbols(IncomingMessage.prototype).find((key) => {
    const method = Reflect.get(request, key);
    Reflect.get(request, 'signal');
    if (typeof method !== 'function' || socket.listenerCount('close') === 0) return false;
    method.call(request);
    return socket.listenerCount('close') === 0;
  });
}

const detachKey = findDetachKey();
