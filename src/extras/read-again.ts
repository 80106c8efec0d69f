/** Makes a server read an upgrade request as an ordinary one, where Node.js has no `shouldUpgradeCallback`. */
import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';

/** @param head What the client has sent after the head of the request: the body, and further requests. */
export function readAgain(server: Server, req: IncomingMessage, socket: Socket, head: Buffer): void {
  const { httpVersion, method, rawHeaders, url } = req;
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
