/** Makes a server read an upgrade request as an ordinary one, where Node.js has no `shouldUpgradeCallback`. */
import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';
import { ignore } from '../internal/ignore';
import { areCut, type HeadersLimit } from './cut-headers';

/** @param head What the client has sent after the head of the request: the body, and further requests. */
export function readAgain(
  server: Server & HeadersLimit,
  req: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void {
  const { httpVersion, method, rawHeaders, url } = req;
  if (areCut(rawHeaders, server)) {
    // Without a Content-Length that was cut off, the body would be read as the next request.
    socket.on('error', ignore);
    socket.end('HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n', () =>
      socket.destroy(),
    );
    return;
  }
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const { [i]: name = '', [i + 1]: value = '' } = rawHeaders;
    text += `${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}\r\n`;
  }
  socket.unshift(head);
  socket.unshift(Buffer.from(`${text}\r\n`, 'latin1'));
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}

/** Removes the option `upgrade` from a value of the header `Connection`. */
function withoutUpgrade(value: string): string {
  const options = value.split(',').filter((option) => option.trim().toLowerCase() !== 'upgrade');
  return options.join(',');
}
