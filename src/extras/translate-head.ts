/** Lets a library for upgrade requests of HTTP/1.1 use an HTTP/2 stream: translates its head. RFC 8441 §5 */
import { constants, type ServerHttp2Stream } from 'node:http2';
import { parseFields } from '../transports/response-headers';

const END_OF_HEAD = '\r\n\r\n';
const { HTTP_STATUS_OK, HTTP_STATUS_SWITCHING_PROTOCOLS } = constants;

/** Shadows `write` and `end` of the stream until the head is written. */
export function translateHead(stream: ServerHttp2Stream): void {
  let head = '';
  const respond = (chunk: string | Uint8Array): Buffer | undefined => {
    head += Buffer.from(chunk as string).toString('latin1');
    const end = head.indexOf(END_OF_HEAD);
    if (end === -1) return undefined;
    Reflect.deleteProperty(stream, 'write');
    Reflect.deleteProperty(stream, 'end');
    const [line = '', ...lines] = head.slice(0, end).split('\r\n');
    const status = Number(line.split(' ', 2)[1]);
    const { 'sec-websocket-accept': _, ...headers } = parseFields(lines.join('\r\n'));
    stream.respond({
      ...headers,
      ':status': status === HTTP_STATUS_SWITCHING_PROTOCOLS ? HTTP_STATUS_OK : status,
    });
    return Buffer.from(head.slice(end + END_OF_HEAD.length), 'latin1');
  };
  Object.assign(stream, {
    write(chunk: string | Uint8Array, ...rest: unknown[]): boolean {
      const first = respond(chunk);
      if (first?.length) return Reflect.apply(stream.write, stream, [first, ...rest]);
      const callback = rest.find((each) => typeof each === 'function');
      if (callback) process.nextTick(callback);
      return true;
    },
    end(chunk?: string | Uint8Array, ...rest: unknown[]): ServerHttp2Stream {
      const first = typeof chunk === 'function' || chunk == null ? chunk : respond(chunk);
      Reflect.deleteProperty(stream, 'end');
      return Reflect.apply(stream.end, stream, [first, ...rest]);
    },
  });
}
