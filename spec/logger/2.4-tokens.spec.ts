import type { IncomingMessage, RequestListener } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import logger from 'nozomi/logger';
import request from 'supertest';
import { serving } from '../support/serve';
import { Log } from './support/log';
import { morgan } from './support/reference';
import { ask, basic, get, open } from './support/serve';

interface Given {
  url?: string;
  headers?: Record<string, string>;
  /** Called with the request before the logger. */
  before?: (req: IncomingMessage & Record<string, unknown>) => void;
  respond?: RequestListener;
}

async function lineOf(format: string, given: Given = {}): Promise<string> {
  const log = new Log();
  const middleware = logger(format, { stream: log });
  await ask(
    (req, res) => {
      given.before?.(req as never);
      middleware(req, res, () => (given.respond ? given.respond(req, res) : res.end('hello')));
    },
    given.url,
    given.headers,
  );
  return (await log.until(1))[0]?.slice(0, -1) as string;
}

/** The tokens as functions, to call them without a server. */
const tokens = logger as unknown as Record<string, (req: unknown, res?: unknown, arg?: unknown) => unknown>;

describe('the tokens of the logger (L-2.4)', () => {
  it(':date[clf] is the time in the common log format, in UTC [L-2.4-01]', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const line = await lineOf(':date[clf]');
    const [, day, month, year, time] = /^(\d\d)\/(\w{3})\/(\d{4}):(\d\d:\d\d:\d\d) \+0000$/.exec(line) ?? [];

    expect(Date.parse(`${day} ${month} ${year} ${time} GMT`)).to.be.within(before, Date.now());
  });

  it(':date[clf] is the second in which the line is written [L-2.4-01]', () => {
    const { now } = Date;
    const RealDate = Date;
    const seen: unknown[] = [];
    try {
      for (const at of ['2001-02-03T04:05:06.007Z', '2001-02-03T04:05:06.999Z', '2001-12-31T23:59:59.999Z']) {
        const fixed = RealDate.parse(at);
        Date.now = () => fixed;
        seen.push(tokens.date?.({}, {}, 'clf'));
      }
    } finally {
      Date.now = now;
    }

    expect(seen).to.deep.equal([
      '03/Feb/2001:04:05:06 +0000',
      '03/Feb/2001:04:05:06 +0000',
      '31/Dec/2001:23:59:59 +0000',
    ]);
  });

  it(':date[iso] is the time in ISO 8601 format with milliseconds and Z [L-2.4-02]', async () => {
    expect(await lineOf(':date[iso]')).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it(':date[web] is the time in RFC 1123 format [L-2.4-03]', async () => {
    expect(await lineOf(':date[web]')).to.match(
      /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
    );
  });

  it(':date without an argument equals :date[web], and is - for an unknown argument [L-2.4-04 L-8-01]', async () => {
    expect(await lineOf(':date :date[other]')).to.match(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT -$/);
  });

  it(':http-version is the HTTP version of the request [L-2.4-05]', async () => {
    expect(await lineOf(':http-version')).to.equal('1.1');
  });

  it(':method is the method of the request [L-2.4-06]', async () => {
    const log = new Log();
    const app = express().use(logger(':method', { stream: log }));

    await request(app).patch('/');

    expect(await log.until(1)).to.deep.equal(['PATCH\n']);
  });

  it(':referrer is the header Referer, even if the request has Referrer [L-2.4-07]', async () => {
    expect(await lineOf(':referrer', { headers: { Referrer: 'right', Referer: 'usual' } })).to.equal('usual');
  });

  it(':referrer is the header Referrer without Referer [L-2.4-08]', async () => {
    expect(await lineOf(':referrer', { headers: { Referrer: 'right' } })).to.equal('right');
  });

  it(':remote-addr is req.ip if the framework sets it [L-2.4-09]', async () => {
    const log = new Log();
    const app = express()
      .set('trust proxy', true)
      .use(logger(':remote-addr', { stream: log }));

    await request(app).get('/').set('X-Forwarded-For', '203.0.113.7');

    expect(await log.until(1)).to.deep.equal(['203.0.113.7\n']);
  });

  it(':remote-addr is the address of the socket without req.ip [L-2.4-10]', async () => {
    expect(await lineOf(':remote-addr')).to.equal('127.0.0.1');
  });

  it(':remote-addr stays available after the socket has closed [L-2.4-10]', () => {
    const ask_ = (req: object) => tokens['remote-addr']?.(req);

    expect(ask_({ _remoteAddress: '192.0.2.1', connection: {} })).to.equal('192.0.2.1');
    expect(ask_({ connection: { remoteAddress: '192.0.2.2' } })).to.equal('192.0.2.2');
    expect(ask_({})).to.equal(undefined);
  });

  it(':remote-user is the user of basic authentication [L-2.4-11 L-5-02]', async () => {
    expect(await lineOf(':remote-user', { headers: basic('tj') })).to.equal('tj');
  });

  for (const [what, Authorization] of [
    ['another scheme', 'Bearer dGo6c2VjcmV0'],
    ['no base64', 'Basic !!!'],
    ['no colon', `Basic ${Buffer.from('tj').toString('base64')}`],
    ['an empty user', `Basic ${Buffer.from(':secret').toString('base64')}`],
  ] as const) {
    it(`:remote-user is - with ${what}, and the request continues [L-2.4-11 L-5-01 L-5-02]`, async () => {
      expect(await lineOf(':remote-user :status', { headers: { Authorization } })).to.equal('- 200');
    });
  }

  it(':req[header] is a request header, in any letter case [L-2.4-12]', async () => {
    expect(await lineOf(':req[X-CusTom]', { headers: { 'x-custom': 'v' } })).to.equal('v');
  });

  it(':req[header] joins a header with several values [L-2.4-12]', async () => {
    const before: Given['before'] = (req) => {
      req.headers['x-many'] = ['a', 'b'];
    };

    expect(await lineOf(':req[x-many]', { before })).to.equal('a, b');
  });

  it(':req[header] is - without the header [L-2.4-13]', async () => {
    expect(await lineOf(':req[x-absent]')).to.equal('-');
  });

  it(':res[header] is a response header, with several values joined [L-2.4-14]', async () => {
    const respond: RequestListener = (_req, res) =>
      res.setHeader('X-One', 'a').setHeader('X-Many', ['b', 'c']).end();

    expect(await lineOf(':res[x-one] :res[X-MANY]', { respond })).to.equal('a b, c');
  });

  for (const [how, head] of [
    ['an object', { 'X-A': '1', 'X-B': ['2', '3'] }],
    ['a flat array', ['X-A', '1', 'X-B', '2', 'X-B', '3']],
    ['an array of pairs', [['X-A', '1'] as never, ['X-B', ['2', '3']] as never]],
  ] as const) {
    it(`:res[header] includes headers passed to writeHead() as ${how} [L-2.4-14]`, async () => {
      const respond: RequestListener = (_req, res) => res.writeHead(201, 'Made', head as never).end();

      expect(await lineOf(':status :res[x-a] :res[x-b]', { respond })).to.equal('201 1 2, 3');
    });
  }

  it(':res[header] is - without the header, and before the headers are sent [L-2.4-15]', async () => {
    const respond: RequestListener = (_req, res) => res.setHeader('X-Set', '1').destroy();

    expect(await lineOf(':res[x-absent]')).to.equal('-');
    expect(await lineOf(':res[x-set]', { respond })).to.equal('-');
  });

  it(':response-time is the time until the headers are written, :total-time until the body is written [L-2.4-16]', async () => {
    const respond: RequestListener = (_req, res) => {
      res.writeHead(200);
      res.flushHeaders();
      const until = process.hrtime.bigint() + 20_000_000n;
      while (process.hrtime.bigint() < until);
      res.end();
    };

    const [response, total] = (await lineOf(':response-time :total-time', { respond }))
      .split(' ')
      .map(Number);

    expect(response).to.be.within(0.001, 20);
    expect(total).to.be.within(20, 1000);
  });

  it(':response-time and :total-time start at the call of the logger [L-2.4-16]', () => {
    const req = { _startAt: [10, 999_000_000] };
    const res = { _startAt: [12, 1_234_567] };

    expect(tokens['response-time']?.(req, res)).to.equal('1002.235');
    expect(tokens['response-time']?.({}, res)).to.equal(undefined);
    expect(tokens['total-time']?.(req, {})).to.equal(undefined);
  });

  it(':response-time has three decimals [L-2.4-17 L-8-01]', async () => {
    expect(await lineOf(':response-time')).to.match(/^\d+\.\d{3}$/);
  });

  it(':response-time[digits] has as many decimals as digits, and none if digits is not a number [L-2.4-18]', async () => {
    expect(await lineOf(':response-time[0] :response-time[5] :response-time[many]')).to.match(
      /^\d+ \d+\.\d{5} \d+$/,
    );
  });

  it(':status is the status of the response [L-2.4-19]', async () => {
    expect(await lineOf(':status', { respond: (_req, res) => res.writeHead(418).end() })).to.equal('418');
  });

  it(':status is read from a response object that has only _header and statusCode [L-2.4-19]', () => {
    expect(tokens.status?.({}, { _header: 'HTTP/1.1 200 OK', statusCode: 200 })).to.equal('200');
    expect(tokens.status?.({}, { _header: null, statusCode: 200 })).to.equal(undefined);
  });

  it(':status is - if the client disconnected before the response [L-2.4-20 L-7-02]', async () => {
    const log = new Log();
    const middleware = logger(':url :status :response-time :total-time', { stream: log });

    let leave = () => {};

    await serving(
      (req, res) => middleware(req, res, () => leave()),
      async (at) => {
        const socket = await open(at);
        leave = () => void socket.destroy();
        socket.write(get('/left'));
        await log.until(1);
      },
    );

    expect(log.lines).to.deep.equal(['/left - - -\n']);
  });

  it(':total-time is not below :response-time [L-2.4-21]', async () => {
    const [response, total] = (await lineOf(':response-time[6] :total-time[6]')).split(' ').map(Number);

    expect(total).to.be.at.least(response as number);
  });

  it(':total-time has three decimals, and :total-time[digits] as many as digits [L-2.4-22 L-8-01]', async () => {
    expect(await lineOf(':total-time :total-time[1]')).to.match(/^\d+\.\d{3} \d+\.\d$/);
  });

  it(':url is req.originalUrl below a mount path [L-2.4-23]', async () => {
    const log = new Log();
    const app = express().use('/api', logger(':url', { stream: log }));

    await request(app).get('/api/users?page=2');

    expect(await log.until(1)).to.deep.equal(['/api/users?page=2\n']);
  });

  it(':url is req.url without req.originalUrl [L-2.4-24]', async () => {
    expect(await lineOf(':url', { url: '/plain?a' })).to.equal('/plain?a');
  });

  it(':user-agent is the header User-Agent [L-2.4-25]', async () => {
    expect(await lineOf(':user-agent', { headers: { 'User-Agent': 'spec/1.0 (x)' } })).to.equal(
      'spec/1.0 (x)',
    );
  });

  it('a token escapes quotes and backslashes in a header [L-2.4-26]', async () => {
    const line = await lineOf('":user-agent"', { headers: { 'User-Agent': 'a"b\\c' } });

    expect(line).to.equal('"a\\"b\\\\c"');
  });

  it('a token escapes the same characters as morgan [L-2.4-26]', () => {
    const characters = [
      ...Array.from({ length: 0x300 }, (_, i) => i),
      0x2027,
      0x2028,
      0x2029,
      0x202a,
      0xffff,
    ];

    for (const code of characters) {
      const method = `a${String.fromCharCode(code)}b`;
      expect(tokens.method?.({ method }), `U+${code.toString(16)}`).to.equal(
        (morgan as never as typeof tokens).method?.({ method }),
      );
    }
  });

  it('a token that is called as a function returns an escaped value, or undefined [L-2.4-26 L-4-16]', () => {
    expect(tokens.method?.({ method: 'GET\n' })).to.equal('GET\\n');
    expect(tokens.req?.({ headers: {} }, {}, 'x')).to.equal(undefined);
  });

  it(':pid is the process id [L-2.4-06]', async () => {
    expect(await lineOf(':pid')).to.equal(String(process.pid));
  });
});
