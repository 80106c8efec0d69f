import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import framework from 'nozomi';
import framework3 from 'nozomi/3';
import framework4 from 'nozomi/4';
import { createServer as createHttp2Server } from 'nozomi/http2';
import { receive } from '../support/connections';
import { close, portOf, serverOf, serving } from '../support/serve';

type App = ReturnType<typeof framework>;
const LIMIT = 1000;
const PIECE = 'x'.repeat(LIMIT);
const PARSERS = {
  json: 'application/json',
  raw: 'application/octet-stream',
  text: 'text/plain',
  urlencoded: 'application/x-www-form-urlencoded',
} as const;

const build = (parser: keyof typeof PARSERS = 'json', options = {}): App => {
  const app = framework().set('env', 'test').enable('strict body limit');
  app.use(framework[parser]({ limit: LIMIT, ...options }), (_req, res) => void res.send('accepted'));
  return app;
};

/**
 * Sends a head and then pieces of a body, and never the end of it, until the server has closed the connection.
 *
 * @param pieces The most pieces to send. The next one is sent after the first bytes of the response, if it comes.
 */
async function received(app: App, head: string, pieces: readonly string[]): Promise<string> {
  return serving(app, (port) =>
    receive(port, `POST / HTTP/1.1\r\nHost: h\r\n${head}\r\n\r\n${pieces.join('')}`),
  );
}

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

describe('the setting strict body limit', () => {
  for (const [parser, type] of Object.entries(PARSERS)) {
    const name = parser as keyof typeof PARSERS;

    it(`responds 413 before a body of ${type} of a known length, and closes the connection`, async () => {
      const head = `Content-Type: ${type}\r\nContent-Length: ${LIMIT + 1}`;
      const text = await received(build(name), head, []);

      expect(text)
        .to.match(/^HTTP\/1\.1 413 Payload Too Large\r\n/)
        .and.match(/\r\nConnection: close\r\n/);
    });

    it(`responds 413 to an endless body of ${type} after the limit, and closes the connection`, async () => {
      const head = `Content-Type: ${type}\r\nTransfer-Encoding: chunked`;
      const text = await received(build(name), head, [chunk(PIECE), chunk('x')]);

      expect(text)
        .to.match(/^HTTP\/1\.1 413 Payload Too Large\r\n/)
        .and.match(/\r\nConnection: close\r\n/);
    });
  }

  it('counts the bytes of a compressed body as they arrive, up to a quarter and 1 kB above the limit', async () => {
    const most = LIMIT * 1.25 + 1024;
    const head = 'Content-Type: text/plain\r\nContent-Encoding: br\r\nTransfer-Encoding: chunked';
    const empty = `${brotliCompressSync('').toString('latin1')}${'x'.repeat(most)}`;

    expect(await received(build('text'), head, [chunk(empty)])).to.match(/^HTTP\/1\.1 4(?:00|13) /);
    const length = `Content-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: ${most + 1}`;
    expect(await received(build('text'), length, [])).to.match(/^HTTP\/1\.1 413 /);
  });

  it('accepts a body within the limit that compression makes longer than the limit', async () => {
    const body = gzipSync(Buffer.from(PIECE), { level: 0, memLevel: 1 });
    expect(body.length).to.be.above(LIMIT);
    await serving(build('text'), async (port) => {
      const headers = { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' };
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
      expect([response.status, await response.text()]).to.deep.equal([200, 'accepted']);
    });
  });

  for (const coding of ['gzip, chunked', 'x, CHUNKED'])
    it(`responds 501 to the transfer coding ${coding}, whatever the type of the body, and closes the connection`, async () => {
      const text = await received(build(), `Content-Type: image/png\r\nTransfer-Encoding: ${coding}`, []);

      expect(text)
        .to.match(/^HTTP\/1\.1 501 Not Implemented\r\n/)
        .and.match(/\r\nConnection: close\r\n/);
      const kept = framework()
        .set('env', 'test')
        .use(framework.json(), (_req, res) => void res.send('accepted'));
      expect(
        await received(kept, `Connection: close\r\nTransfer-Encoding: ${coding}`, ['0\r\n\r\n']),
      ).to.match(/accepted$/);
    });

  it('accepts the transfer coding Chunked', async () => {
    const head = 'Connection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: Chunked';
    expect(await received(build(), head, [chunk('{}'), '0\r\n\r\n'])).to.match(/accepted$/);
  });

  it('passes an error with the properties of body-parser to the error handlers, once', async () => {
    const seen: unknown[] = [];
    const app = build();
    app.use(((err, _req, res, _next) => {
      seen.push([err.status, err.type, err.limit, err.length, err.expected, err.expose, err.message]);
      res.status(err.status).send('own page');
    }) as Parameters<App['use']>[0] as never);

    const text = await received(app, `Content-Type: application/json\r\nContent-Length: ${LIMIT + 1}`, [
      PIECE,
    ]);
    expect(text)
      .to.match(/^HTTP\/1\.1 413 /)
      .and.match(/own page$/);
    expect(seen).to.deep.equal([
      [413, 'entity.too.large', LIMIT, LIMIT + 1, LIMIT + 1, true, 'request entity too large'],
    ]);
  });

  it('accepts bodies within the limit, keeps the connection, and ignores bodies that no parser reads', async () => {
    for (const [type, length] of [
      ['text/plain', LIMIT],
      ['text/plain; charset=latin1', LIMIT],
      ['image/png', 3 * LIMIT],
    ] as const) {
      await serving(build('text'), async (port) => {
        for (const framing of ['Content-Length', 'Transfer-Encoding']) {
          const response = await fetch(`http://127.0.0.1:${port}/`, {
            method: 'POST',
            headers: { 'Content-Type': type },
            body: framing === 'Content-Length' ? 'x'.repeat(length) : new Blob(['x'.repeat(length)]).stream(),
            duplex: 'half',
          } as RequestInit);
          expect([response.status, await response.text()], type).to.deep.equal([200, 'accepted']);
          expect(response.headers.get('connection'), type).to.equal('keep-alive');
        }
      });
    }
  });

  it('works with nozomi/4, and with nozomi/3', async () => {
    const app4 = framework4().set('env', 'test').enable('strict body limit');
    app4.use(framework4.json({ limit: LIMIT }));
    const app3 = framework3().set('env', 'test').enable('strict body limit');
    app3.use(framework3.json({ limit: LIMIT }));

    for (const app of [app4, app3]) {
      const head = 'Content-Type: application/json\r\nTransfer-Encoding: chunked';
      const text = await received(app as unknown as App, head, [chunk(PIECE), chunk('x')]);
      expect(text)
        .to.match(/^HTTP\/1\.1 413 /)
        .and.match(/\r\nConnection: close\r\n/);
    }
  });

  it('responds over HTTP/2 too, and closes the stream, but not the session', async () => {
    const server = await serverOf(createHttp2Server({ cleartext: true }, build()));
    const client = connectHttp2(`http://127.0.0.1:${portOf(server)}`);
    try {
      for (const length of [`${LIMIT + 1}`, undefined]) {
        const request = client.request({
          ':method': 'POST',
          'content-type': 'application/json',
          ...(length && { 'content-length': length }),
        });
        // The server may reset the stream while the client still sends.
        request.on('error', () => undefined);
        request.write(PIECE + (length ? '' : 'x'));
        const [headers] = await once(request, 'response');
        expect(headers[':status']).to.equal(413);
        request.resume();
        await once(request, 'close');
      }
      expect(client.closed || client.destroyed).to.equal(false);
    } finally {
      client.destroy();
      await close(server);
    }
  });

  it('has as its default false, with which the response waits for the end of the body, as in Express', async () => {
    const app = build().disable('strict body limit');
    await serving(app, async (port) => {
      const socket = connect(port, '127.0.0.1').setEncoding('latin1');
      const head = `POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: ${2 * LIMIT}\r\n\r\n`;
      let isEnded = false;
      socket.on('data', () => expect(isEnded).to.equal(true));
      socket.write(head + PIECE);
      const probe = connect(port, '127.0.0.1');
      probe.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
      await once(probe, 'data');
      probe.destroy();
      isEnded = true;
      socket.write(PIECE);
      const [text] = await once(socket, 'data');
      expect(text)
        .to.match(/^HTTP\/1\.1 413 /)
        .and.match(/\r\nConnection: keep-alive\r\n/);
      socket.destroy();
    });
  });

  it('cannot be set to an unknown value', () => {
    expect(() => framework().set('strict body limit', '1mb' as never)).to.throw(
      TypeError,
      'unknown value for strict body limit',
    );
  });
});
