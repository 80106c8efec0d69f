import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import http2, { type ClientHttp2Session } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { askHttp2, open } from './support';

const MB = 1_000_000;

interface Memory {
  readonly heap: number;
  readonly rss: number;
}

describe('HTTP/2, the memory of a server', function () {
  this.timeout(60_000);
  let child: ChildProcess;
  let port: number;

  beforeEach(async () => {
    child = fork(join(__dirname, 'flooded-server.ts'), {
      execArgv: ['--expose-gc', '--require', require.resolve('tsx/cjs')],
    });
    [port] = (await once(child, 'message')) as [number];
  });
  afterEach(() => child.disconnect());

  async function memory(): Promise<Memory> {
    child.send('memory');
    return (await once(child, 'message'))[0] as Memory;
  }

  function newSession(): ClientHttp2Session {
    return http2.connect(`http://127.0.0.1:${port}`).on('error', () => undefined);
  }

  async function expectAlive(): Promise<void> {
    const session = newSession();
    expect(String((await askHttp2(session, { path: '/' })).body)).to.equal('alive');
    session.destroy();
  }

  /** Opens streams and resets them immediately. If Node.js closes the session, opens another. */
  async function reset(count: number): Promise<void> {
    let session = newSession();
    for (let i = 0; i < count; i += 50) {
      if (session.destroyed || session.closed) session = newSession();
      const streams = Array.from({ length: 50 }, () => {
        const stream = open(session, { path: '/part' }).on('error', () => undefined);
        stream.close(http2.constants.NGHTTP2_CANCEL);
        return stream;
      });
      await Promise.all(streams.map((stream) => stream.closed || once(stream, 'close')));
    }
    session.destroy();
  }

  it('is bounded under rapid resets', async () => {
    await reset(1_000);
    const before = await memory();
    await reset(5_000);
    const after = await memory();
    expect((after.heap - before.heap) / MB, 'heap').to.be.below(4);
    expect((after.rss - before.rss) / MB, 'resident').to.be.below(80);
    await expectAlive();
  });

  it('is bounded under a flood of CONTINUATION frames, and the session is closed', async () => {
    await expectAlive();
    const before = await memory();
    for (let i = 0; i < 20; i++) expect((await flood(port)) / MB).to.be.below(20);
    const after = await memory();
    expect((after.heap - before.heap) / MB, 'heap').to.be.below(4);
    expect((after.rss - before.rss) / MB, 'resident').to.be.below(80);
    await expectAlive();
  });

  it('is the same after 1,000 requests that end with RST_STREAM, GOAWAY or a lost socket', async () => {
    await abort(300);
    const before = await memory();
    await abort(1_000);
    const after = await memory();
    expect((after.heap - before.heap) / MB, 'heap').to.be.below(2);
    await expectAlive();
  });

  async function abort(count: number): Promise<void> {
    for (let i = 0; i < count; i += 10) {
      const socket: Socket = connect(port, '127.0.0.1').on('error', () => undefined);
      const session = http2.connect(`http://127.0.0.1:${port}`, { createConnection: () => socket });
      session.on('error', () => undefined);
      const streams = Array.from({ length: 10 }, (_each, j) => {
        const isUpload = j % 2 === 0;
        const testRequest = isUpload ? { path: '/', method: 'POST', body: '' } : { path: '/part' };
        const stream = open(session, testRequest).on('error', () => undefined);
        if (isUpload) stream.write('part');
        return stream.resume();
      });
      await once(streams[1] as (typeof streams)[0], 'response');
      const closed = streams.map((stream) => once(stream, 'close').catch(() => undefined));
      const kind = (i / 10) % 3;
      if (kind === 0) for (const stream of streams) stream.close(http2.constants.NGHTTP2_CANCEL);
      else if (kind === 1) session.destroy(new Error('GOAWAY'));
      else socket.destroy();
      await Promise.all(closed);
      session.destroy();
      socket.destroy();
    }
  }
});

/** Sends CONTINUATION frames until the server closes the connection, at most 50 MB. @returns The sent bytes. */
async function flood(port: number): Promise<number> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  let isClosed = false;
  socket.on('close', () => {
    isClosed = true;
  });
  socket.resume();
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(frame(SETTINGS, 0, Buffer.alloc(0)));
  // A HEADERS frame without END_HEADERS, so CONTINUATION frames must follow.
  socket.write(frame(HEADERS, 1, Buffer.from([0x82])));
  // The header "a" with 126 bytes, which the server does not store in its table.
  const field = Buffer.concat([Buffer.from([0x00, 0x01, 0x61, 0x7e]), Buffer.alloc(126, 'b')]);
  const continuation = frame(CONTINUATION, 1, Buffer.concat(Array.from({ length: 100 }, () => field)));
  let sent = 0;
  while (!isClosed && sent < 50 * MB) {
    sent += continuation.length;
    if (!socket.write(continuation)) {
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
    }
    await new Promise(setImmediate);
  }
  socket.destroy();
  return sent;
}

const HEADERS = 1;
const SETTINGS = 4;
const CONTINUATION = 9;

/** @returns An HTTP/2 frame without flags. RFC 9113 §4.1 */
function frame(type: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}
