/** The format json (L-2.3) and the tokens (L-2.4) of the logger that morgan lacks. */
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2 } from 'node:http2';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import compression from 'compression';
import express from 'express';
import logger from 'nozomi/logger';
import request from 'supertest';
import { receive } from '../support/connections';
import { close, portOf, serverOf, serving } from '../support/serve';
import { Log } from './support/log';
import { ask, get, open } from './support/serve';

const KEYS = [
  'time',
  'method',
  'url',
  'route',
  'status',
  'responseTime',
  'totalTime',
  'bytesSent',
  'remoteAddress',
  'userAgent',
  'referrer',
  'aborted',
];

async function jsonOf(respond: RequestListener, url = '/', headers: Record<string, string> = {}) {
  const log = new Log();
  const middleware = logger('json', { stream: log });
  const sent = await ask((req, res) => middleware(req, res, () => respond(req, res)), url, headers);
  const [line] = await log.until(1);
  return { line: line as string, object: JSON.parse(line as string) as Record<string, unknown>, sent };
}

describe('the format json of the logger, which morgan lacks', () => {
  it('writes each line as one object with the same keys', async () => {
    const { object, sent } = await jsonOf((_req, res) => res.writeHead(201).end('hello'), '/a?b', {
      'User-Agent': 'spec',
      Referer: 'http://spec.test/',
    });

    expect(Object.keys(object)).to.deep.equal(KEYS);
    expect(new Date(object.time as string).toISOString()).to.equal(object.time);
    expect(object.responseTime).to.be.a('number');
    expect(object.totalTime).to.be.at.least(object.responseTime as number);
    expect(object).to.include({
      method: 'GET',
      url: '/a?b',
      route: null,
      status: 201,
      bytesSent: Buffer.byteLength(sent),
      remoteAddress: '127.0.0.1',
      userAgent: 'spec',
      referrer: 'http://spec.test/',
      aborted: false,
    });
  });

  it('writes req.id as request id, otherwise the header X-Request-Id', async () => {
    const named: RequestListener = (req, res) => {
      Object.assign(req, { id: 17 });
      res.end();
    };

    expect(
      (await jsonOf((_req, res) => res.end(), '/', { 'X-Request-Id': 'abc' })).object.requestId,
    ).to.equal('abc');
    expect((await jsonOf(named, '/', { 'X-Request-Id': 'abc' })).object.requestId).to.equal('17');
  });

  proves('L-2.4-26');
  it('writes values that JSON.parse restores, and each object on one line', async () => {
    const agent = '"\\\x85\x9f';
    const { line, object } = await jsonOf(
      (req, res) => {
        req.url = '/\u2028\u2029\n\u007f';
        res.end();
      },
      '/',
      { 'User-Agent': agent },
    );

    expect(object).to.include({ url: '/\u2028\u2029\n\u007f', userAgent: agent });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for them
    expect(line).to.match(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+\n$/);
  });

  it('passes the object to a stream in object mode', async () => {
    const seen: object[] = [];
    const stream = new Writable({
      objectMode: true,
      write(chunk, _encoding, done) {
        seen.push(chunk);
        done();
        this.emit('line');
      },
    });
    const line = once(stream, 'line');
    const middleware = logger('json', { stream });

    await ask((req, res) => middleware(req, res, () => res.end()));
    await line;

    expect(Object.keys(seen[0] as object)).to.deep.equal(KEYS);
    expect(seen[0]).to.include({ method: 'GET', status: 200 });
  });

  proves('L-4-05');
  it('writes the value of a redefined token', async () => {
    const tokens = logger as unknown as Record<string, unknown>;
    const before = Object.entries(tokens);
    try {
      logger.token('remote-addr', () => 'hidden');
      expect((await jsonOf((_req, res) => res.end())).object.remoteAddress).to.equal('hidden');
      delete tokens['remote-addr'];
      expect((await jsonOf((_req, res) => res.end())).object.remoteAddress).to.equal(null);
    } finally {
      // In their order, which another spec compares.
      for (const [name, token] of before) {
        delete tokens[name];
        tokens[name] = token;
      }
    }
  });

  proves('L-2.2-04');
  it('writes null for a value that is unknown with immediate', async () => {
    const log = new Log();
    const middleware = logger('json', { stream: log, immediate: true });

    await ask((req, res) => middleware(req, res, () => res.end()));

    const object = JSON.parse(log.lines[0] as string);
    expect(Object.keys(object)).to.deep.equal(KEYS);
    expect(object).to.include({
      status: null,
      responseTime: null,
      totalTime: null,
      bytesSent: null,
      aborted: null,
    });
  });
});

describe('tokens of the logger that morgan lacks', () => {
  it(':route is the pattern of the matched route, or -', async () => {
    const log = new Log();
    const app = express().use(logger(':route', { stream: log }));
    app.get('/users/:id', (_req, res) => void res.send(''));
    app.get(/^\/re/, (_req, res) => void res.send(''));

    for (const path of ['/users/7', '/regular', '/missing']) await request(app).get(path);

    expect(await log.until(3)).to.deep.equal(['/users/:id\n', '/^\\\\/re/\n', '-\n']);
    const tokens = logger as unknown as Record<string, (req: object) => unknown>;
    expect(tokens.route?.({ route: { path: '/bare' } })).to.equal('/bare');
  });

  it(':aborted is true if the response was incomplete', async () => {
    const log = new Log();
    const middleware = logger(':url :aborted', { stream: log });

    await serving(
      (req, res) =>
        middleware(req, res, () => {
          if (req.url === '/whole') res.end('hello');
          else if (req.url === '/part') res.write('some');
          else res.end(Buffer.alloc(8_000_000));
        }),
      async (at) => {
        await receive(at, get('/whole', { Connection: 'close' }));
        for (const url of ['/part', '/large']) {
          const lines = log.lines.length;
          const socket = await open(at);
          socket.write(get(url));
          await once(socket, 'data');
          socket.resetAndDestroy();
          await log.until(lines + 1);
        }
      },
    );

    expect(log.lines).to.deep.equal(['/whole false\n', '/part true\n', '/large true\n']);
  });

  it(':bytes-sent is the number of bytes that the client receives, with Content-Length or chunked', async () => {
    const app = express();
    const log = new Log();
    app.use(logger(':bytes-sent', { stream: log }));
    app.use(logger((tokens, req, res) => tokens['bytes-sent']?.(req, res), { stream: log }));
    app.use(compression({ threshold: 0 }));
    app.get('/chunked', (_req, res) => {
      for (const part of ['some', 'more', '\u00fc']) res.write(part);
      res.end();
    });
    app.get('/compressed', (_req, res) => void res.type('txt').send('hello '.repeat(10_000)));
    app.get('/plain', (_req, res) => void res.set('Cache-Control', 'no-transform').send('hello'));

    for (const path of ['/chunked', '/compressed', '/plain']) {
      const lines = log.lines.length;
      const respond = await serving(app, async (at) => {
        const socket = await open(at);
        socket.write(get(path, { Connection: 'close', 'Accept-Encoding': 'gzip' }));
        let bytes = 0;
        for await (const chunk of socket) bytes += (chunk as Buffer).length;
        return bytes;
      });
      await log.until(lines + 2);
      expect(log.lines.slice(lines), path).to.deep.equal([`${respond}\n`, `${respond}\n`]);
    }
  });

  it(':bytes-sent of a pipelined response excludes other responses', async () => {
    const log = new Log();
    const middleware = logger(':bytes-sent', { stream: log });

    const sent = await serving(
      (req, res) =>
        middleware(req, res, () => {
          res.sendDate = false;
          res.end('x'.repeat(Number(req.url?.slice(1))));
        }),
      (at) => receive(at, get('/10') + get('/2000') + get('/0', { Connection: 'close' })),
    );

    const sizes = (await log.until(3)).map(Number);
    expect(sizes.reduce((sum, size) => sum + size)).to.equal(sent.length);
    expect((sizes[1] as number) - (sizes[0] as number)).to.equal(1990 + '2000'.length - '10'.length);
  });

  it(':bytes-sent over HTTP/2 is the length of the body, and :aborted is true for a reset stream', async () => {
    const log = new Log();
    const middleware = logger<never, never>(':url :bytes-sent :aborted', { stream: log });
    const server = await serverOf(
      createHttp2((req, res) =>
        middleware(req as never, res as never, () => {
          if (req.url === '/part') res.write(Buffer.from('part'));
          else res.end('h\u00fcllo', 'utf8');
        }),
      ),
    );
    const client = connectHttp2(`http://127.0.0.1:${portOf(server)}`);

    await text(client.request({ ':path': '/whole' }));
    const part = client.request({ ':path': '/part' });
    await once(part, 'data');
    part.close(8);
    await log.until(2);
    client.destroy();
    await close(server);

    expect(log.lines).to.deep.equal(['/whole 6 false\n', '/part 4 true\n']);
  });

  it(':bytes-sent and :aborted over HTTP/2 are - while the request is pending', () => {
    const tokens = logger as unknown as Record<string, (req: object, res: object) => unknown>;

    expect(tokens.aborted?.({}, { stream: { closed: false } })).to.equal(undefined);
    expect(tokens['bytes-sent']?.({}, {})).to.equal(undefined);
  });
});
