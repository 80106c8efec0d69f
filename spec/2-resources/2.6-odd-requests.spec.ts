import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import http, { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import request from 'supertest';
import { type App, askBoth } from '../support/light';
import { ASKED, seeing } from '../support/odd-requests';

describe('an application called without a server', () => {
  for (const [build, reference] of [
    ['nozomi', 'express'],
    ['nozomi/4', 'express4'],
    ['nozomi/3', 'express3'],
  ] as const) {
    proves('F-2.6-01 F-4.1-01');
    it(`${build} responds as Express does to requests injected by light-my-request`, () => {
      const program = join(__dirname, '..', 'support', 'injected.ts');
      const [ours, theirs] = [build, reference].map((name) => {
        const args = ['--no-deprecation', '--require', 'tsx/cjs', program, name];
        return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as unknown[];
      });

      expect(ours).to.deep.equal(theirs);
    });
  }

  for (const [method, url, headers, body] of ASKED) {
    const name = `${method} ${url}${body ? ` ${body}` : ''}`;

    proves('F-2.6-01 F-4.1-01');
    it(`responds as Express does to a serverless adapter's request: ${name}`, async () => {
      const responses = askBoth(async (app) => invoke(seeing(app), method, url, headers, body));

      expect(await responses.ours).to.deep.equal(await responses.theirs);
    });
  }

  proves('F-2.6-01');
  it('responds as Express does to a Proxy of a request', async () => {
    const responses = askBoth(async (app) => {
      const touched = new Set<string>();
      seeing(app);
      const server = http.createServer((req, res) => {
        const proxy = new Proxy(req, {
          get(target, name, receiver) {
            if (typeof name === 'string' && name in target) touched.add(name);
            return Reflect.get(target, name, receiver);
          },
        });
        app(proxy as never, res as never);
      });
      const res = await request(server)
        .get('/users/7?a=1')
        .set({ Host: 'own.test', 'X-Forwarded-For': '1.1.1.1' });
      return [res.status, res.body, touched.has('url')];
    });
    const ours = await responses.ours;

    expect(ours).to.deep.equal(await responses.theirs);
    expect(ours[0]).to.equal(200);
  });

  proves('F-2.6-20 F-2.7-03');
  it('keeps properties that the caller has set on request and response', async () => {
    const responses = askBoth(async (app) => {
      app.get('/', (req, res) =>
        res.json([req.ip, req.query, req.body, req.originalUrl, req.baseUrl, res.locals, req.app === app]),
      );
      const server = http.createServer((req, res) => {
        for (const [name, value] of Object.entries({ ip: 'set', query: { set: true } })) {
          Object.defineProperty(req, name, { configurable: true, enumerable: true, writable: true, value });
        }
        Object.assign(req, { body: 'set', originalUrl: '/before', baseUrl: '/base', app: 'ignored?' });
        Object.assign(res, { locals: { set: true } });
        app(req as never, res as never);
      });
      return (await request(server).get('/?a=1')).body;
    });
    const ours = await responses.ours;

    expect(ours).to.deep.equal(await responses.theirs);
    expect(ours.slice(0, 4)).to.deep.equal(['set', { set: true }, 'set', '/before']);
  });
});

/** Calls an application as serverless adapters do: with a request of Node.js's class on a fake socket. */
async function invoke(
  app: App,
  method: string,
  url: string,
  headers: Record<string, string>,
  body = '',
): Promise<unknown> {
  const socket = Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), {
    encrypted: true,
    readable: false,
    remoteAddress: '192.0.2.9',
  });
  const req = new IncomingMessage(socket as unknown as Socket);
  const length = body ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  Object.assign(req, { method, url, headers: { ...headers, ...length }, complete: true, httpVersion: '1.1' });
  req.push(body || null);
  if (body) req.push(null);

  const res = new ServerResponse(req);
  const written: Buffer[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written.push(Buffer.from(chunk));
      done();
    },
  });
  res.assignSocket(sink as unknown as Socket);
  app(req as never, res as never);
  await once(res, 'finish');
  const text = Buffer.concat(written)
    .toString()
    .replace(/\r\nDate: [^\r]*/, '')
    .replace(/X-Powered-By: \w+/, '');
  return text.split('<br>')[0];
}
