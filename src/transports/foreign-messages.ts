/** Makes messages of workerd, which are based on `Request` and `Response`, usable over a stream. */
import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

// A cast: the constructor only stores the socket.
const probe = {} as Socket;
/** Whether messages ignore the socket that they get. In Node.js, Bun and Deno they do not. */
export const areForeign: boolean = new IncomingMessage(probe).socket !== probe;

/** The internal members that `_read` of Node.js uses. */
type ForeignRequest = IncomingMessage & { _consuming: boolean };

/** Makes a request read from its socket, and close it, as in Node.js. */
export function adaptRequest(req: IncomingMessage, socket: Socket): void {
  const destroy = req._destroy;
  Object.assign(req, {
    // A setter, for `req.socket` too.
    connection: socket,
    _read(this: ForeignRequest) {
      this._consuming = true;
      if (socket.readable) socket.resume();
    },
    _destroy(this: IncomingMessage, error: Error | null, callback: (error?: Error | null) => void) {
      if (!this.readableEnded || !this.complete) socket.destroy(error ?? undefined);
      Reflect.apply(destroy, this, [error, callback]);
    },
  });
}

/** Removes the listeners by which a response creates a `Response`, and its reason phrase, `unknown`. */
export function adaptResponse(res: ServerResponse): void {
  res.removeAllListeners();
  res.statusMessage = '';
}
