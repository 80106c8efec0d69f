/** Serves the application of a scenario over a transport, in the child process of the implementation. */
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { Server } from 'node:net';
import type { Http2Options } from 'nozomi/http2';
import type { Built } from '../scenario/scenario';
import { CERTIFICATE as cert, KEY as key } from './certificate';
import { listenerOf } from './listener';
import type { Transport } from './transport';

/** Loads a module like `require` in a file in the root folder of the project. */
type Load = (name: string) => unknown;

/**
 * Creates a server for the application of a scenario. The server does not listen yet.
 *
 * @throws TypeError if the scenario built a server without exactly one request listener.
 */
export function serve(built: Built, transport: Exclude<Transport, 'listen'>, load: Load): Server {
  const listener = listenerOf(built);
  switch (transport) {
    case 'create':
      return createHttpServer(listener);
    case 'wrapped':
      return createHttpServer((req, res) => listener(req, res));
    case 'https':
      return createHttpsServer({ key, cert }, listener);
    case 'h2':
      return serverOf(load, { key, cert }, listener);
    case 'h2c':
      // An application of Nozomi accepts the requests of a `node:http2` server. A plain listener would get those of
      // Node.js's compatibility API, so it runs on the server of `nozomi/http2`.
      return 'handle' in listener
        ? createServer(listener as never)
        : serverOf(load, { cleartext: true }, listener);
    case 'fetch': {
      const { fromFetch, toFetch } = load('nozomi/fetch') as typeof import('nozomi/fetch');
      const handle = fromFetch(toFetch(listener, { remoteAddress: '127.0.0.1' }));
      return createHttpServer((req, res) => void handle(req, res, () => res.destroy()));
    }
  }
}

function serverOf(load: Load, options: Http2Options, listener: RequestListener): Server {
  return (load('nozomi/http2') as typeof import('nozomi/http2')).createServer(options, listener);
}
