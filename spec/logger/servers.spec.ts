import { once } from 'node:events';
import { connect as connectHttp2, createServer as createHttp2 } from 'node:http2';
import { createServer as createHttps, request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import express from 'express';
import framework from 'nozomi';
import logger from 'nozomi/logger';
import request from 'supertest';
import { CERTIFICATE, KEY } from '../../parity/transports/certificate';
import { close, portOf, serverOf } from '../support/serve';
import { both } from './support/both';
import { Log } from './support/log';

const FORMAT = ':remote-addr :method :url HTTP/:http-version :status :res[x-set] :req[x-asked]';

proves('L-1-09 L-1-08');
describe('the logger on servers other than http', () => {
  it('writes a line for a request of node:https', async () => {
    const pair = both(FORMAT, (_req, res) => res.setHeader('X-Set', 'yes').end('hello'));
    const server = await serverOf(createHttps({ key: KEY, cert: CERTIFICATE }, pair.listener));
    const port = portOf(server);

    const asked = requestHttps({
      port,
      host: '127.0.0.1',
      path: '/tls',
      rejectUnauthorized: false,
      agent: false,
    });
    const [response] = await once(asked.end(), 'response');

    expect(await text(response)).to.equal('hello');
    await close(server);
    expect(await pair.ours.until(1)).to.deep.equal(['127.0.0.1 GET /tls HTTP/1.1 200 yes -\n']);
    expect(pair.theirs.lines).to.deep.equal(pair.ours.lines);
  });

  it('writes a line for a response of node:http2, and for a stream that the client resets', async () => {
    const pair = both(`${FORMAT} :response-time`, (req, res) => {
      res.setHeader('X-Set', 'yes');
      if (req.url === '/reset') res.write('part');
      else res.end('hello');
    });
    const server = await serverOf(createHttp2(pair.listener as never));
    const client = connectHttp2(`http://127.0.0.1:${portOf(server)}`);

    const answered = client.request({ ':path': '/answered', 'x-asked': 'no' });
    expect(await text(answered)).to.equal('hello');
    const reset = client.request({ ':path': '/reset' });
    await once(reset, 'data');
    reset.close(8);
    await pair.ours.until(2);
    await pair.theirs.until(2);
    client.destroy();
    await close(server);

    expect(pair.ours.lines.map((line) => line.replace(/\d+\.\d{3}\n/, '<ms>'))).to.deep.equal([
      '127.0.0.1 GET /answered HTTP/2.0 200 yes no <ms>',
      '127.0.0.1 GET /reset HTTP/2.0 200 yes - <ms>',
    ]);
    expect(pair.theirs.lines).to.deep.equal(pair.ours.lines);
  });

  for (const [name, create] of [
    ['Express 5', express],
    ['Nozomi', framework as unknown as typeof express],
  ] as const) {
    it(`writes original URL, client address and status in ${name}: below a mount path, behind a proxy, for error pages`, async () => {
      const log = new Log();
      const app = create().set('trust proxy', 1).set('env', 'test');
      const router = create.Router();
      router.get('/items/:id', (_req, res) => void res.json({ ok: true }));
      router.get('/broken', () => {
        throw new Error('broken');
      });
      app.use(logger(':remote-addr :url :status :res[content-type] :route', { stream: log }));
      app.use('/shop', router);

      for (const path of ['/shop/items/7?x=1', '/shop/broken', '/missing']) {
        await request(app).get(path).set('X-Forwarded-For', '198.51.100.9');
      }

      expect(await log.until(3)).to.deep.equal([
        '198.51.100.9 /shop/items/7?x=1 200 application/json; charset=utf-8 /shop/items/:id\n',
        '198.51.100.9 /shop/broken 500 text/html; charset=utf-8 /broken\n',
        '198.51.100.9 /missing 404 text/html; charset=utf-8 -\n',
      ]);
    });
  }
});
