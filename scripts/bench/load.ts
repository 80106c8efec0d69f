// The client: keep-alive connections that send one request after another, by fixed count. It only counts the bytes of
// the answers, which are all of one length, so that it costs little beside the server it measures.
import { connect, type Socket } from 'node:net';

export interface Answer {
  status: number;
  /** In the order sent, as sent. */
  fields: Array<[name: string, value: string]>;
  body: string;
  /** Bytes on the wire. */
  size: number;
}

const CONNECTIONS = 8;

/** Ask once and read the whole answer: to compare before anything is timed. */
export function ask(port: number, request: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let bytes = Buffer.alloc(0);
    socket.setTimeout(5000, () =>
      socket.destroy(new Error(`no whole answer in 5 s, got ${bytes.length} bytes`)),
    );
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      const answer = parse(bytes);
      if (answer) socket.end(() => resolve(answer));
    });
  });
}

/** Send `count` requests whose answers are `size` bytes each. @returns Seconds. */
export async function load(port: number, request: string, size: number, count: number): Promise<number> {
  const started = process.hrtime.bigint();
  const share = Math.ceil(count / CONNECTIONS);
  await Promise.all(Array.from({ length: CONNECTIONS }, () => converse(port, request, size, share)));
  return Number(process.hrtime.bigint() - started) / 1e9;
}

function converse(port: number, request: string, size: number, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = count;
    let pending = size;
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(request));
    socket.setTimeout(10_000, () =>
      socket.destroy(new Error('an answer came short: its length is not constant')),
    );
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      pending -= chunk.length;
      if (pending < 0) socket.destroy(new Error('an answer came long: its length is not constant'));
      if (pending !== 0) return;
      if (--left === 0) {
        socket.end(resolve);
      } else {
        pending = size;
        socket.write(request);
      }
    });
  });
}

function parse(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const field = (name: string): string | undefined => fields.find(([one]) => one.toLowerCase() === name)?.[1];
  const rest = bytes.subarray(end + 4);

  if (field('transfer-encoding') === 'chunked') {
    const chunked = joinChunks(rest);
    return chunked && { status, fields, body: chunked.body.toString(), size: end + 4 + chunked.size };
  }
  const length = status === 304 ? 0 : Number(field('content-length') ?? 0);
  if (rest.length < length) return undefined;
  return { status, fields, body: rest.toString('utf8', 0, length), size: end + 4 + length };
}

/** @returns What the chunks hold, and their bytes on the wire; undefined when the last is not there yet. */
function joinChunks(bytes: Buffer): { body: Buffer; size: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const length = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const next = line + 2 + length + 2;
    if (bytes.length < next) return undefined;
    if (length === 0) return { body: Buffer.concat(chunks), size: next };
    chunks.push(bytes.subarray(line + 2, line + 2 + length));
    at = next;
  }
}
