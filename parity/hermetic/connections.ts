/** Intercepts the TCP and pipe connections that an application opens, so that its own process can serve them. */
import net, { type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlace } from '../implementations/place';

/** Serves one connection. `connect` opens the connection that the application wanted. */
export type Serve = (client: Socket, target: string, connect: () => Socket) => void;

type Connect = (this: Socket, ...args: unknown[]) => Socket;

/** The options of `socket.connect`. */
interface Target {
  readonly host?: string;
  readonly port?: number | string;
  readonly path?: string | null;
}

/**
 * Replaces `connect` of node:net. The application gets a connection to a pipe of this process instead, because a pipe
 * can listen without waiting.
 */
export function interceptConnections(serve: Serve): void {
  const { prototype } = net.Socket;
  const connect = prototype.connect as Connect;
  // Before anything else replaces it: parity looks for the server of the application there.
  const { listen } = net.Server.prototype;
  const pipes = new Map<string, string>();

  const pipeTo = (target: Target): string => {
    const name = target.path || `${target.host ?? 'localhost'}:${target.port}`;
    const known = pipes.get(name);
    if (known !== undefined) return known;
    const pipe = pipeName(pipes.size);
    pipes.set(name, pipe);
    const server = net.createServer((client) => {
      client.on('error', () => client.destroy());
      serve(client, name, () => Reflect.apply(connect, new net.Socket(), [target]));
    });
    Reflect.apply(listen, server, [{ path: pipe }]);
    server.unref();
    return pipe;
  };

  Object.defineProperty(prototype, 'connect', {
    configurable: true,
    writable: true,
    value(this: Socket, ...args: unknown[]) {
      const [options, callback] = readConnect(args);
      if (options.path && isOwn(options.path)) return Reflect.apply(connect, this, args);
      const { host, port, path, ...others } = options as Target & Record<string, unknown>;
      return Reflect.apply(connect, this, [{ ...others, path: pipeTo(options) }, callback]);
    },
  });
}

/** The place and the callback in the arguments of `connect`. */
function readConnect(args: readonly unknown[]): [Target, unknown] {
  const list = Array.isArray(args[0]) ? args[0] : args;
  return [readPlace(args) as Target, list.find((one) => typeof one === 'function')];
}

const NAME = `nozomi-hermetic-${process.pid}-`;

/** Linux needs no file for a socket whose name begins with a null character. */
function pipeName(index: number): string {
  const name = `${NAME}${index}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

function isOwn(path: string): boolean {
  return path.includes(NAME);
}
