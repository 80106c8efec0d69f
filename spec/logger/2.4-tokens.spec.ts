import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import logger from 'nozomi/logger';
import { Log } from './support/log';
import { morgan } from './support/reference';
import { ask } from './support/serve';

async function lineOf(
  format: string,
  respond: RequestListener = (_req, res) => res.end('hello'),
): Promise<string> {
  const log = new Log();
  const middleware = logger(format, { stream: log });
  await ask((req, res) => middleware(req, res, () => respond(req, res)));
  return (await log.until(1))[0]?.slice(0, -1) as string;
}

/** The tokens as functions, to call them without a server. */
const tokens = logger as unknown as Record<string, (req: unknown, res?: unknown, arg?: unknown) => unknown>;

describe('the tokens of the logger', () => {
  proves('L-2.4-01');
  it(':date[clf] is the time in the common log format, in UTC', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const line = await lineOf(':date[clf]');
    const [, day, month, year, time] = /^(\d\d)\/(\w{3})\/(\d{4}):(\d\d:\d\d:\d\d) \+0000$/.exec(line) ?? [];

    expect(Date.parse(`${day} ${month} ${year} ${time} GMT`)).to.be.within(before, Date.now());
  });

  proves('L-2.4-01');
  it(':date[clf] is the second in which the line is written', () => {
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

  proves('L-2.4-10');
  it(':remote-addr stays available after the socket has closed', () => {
    const ask_ = (req: object) => tokens['remote-addr']?.(req);

    expect(ask_({ _remoteAddress: '192.0.2.1', connection: {} })).to.equal('192.0.2.1');
    expect(ask_({ connection: { remoteAddress: '192.0.2.2' } })).to.equal('192.0.2.2');
    expect(ask_({})).to.equal(undefined);
  });

  proves('L-2.4-16 L-2.4-21');
  it(':response-time is the time until the headers are written, :total-time until the body is written', async () => {
    const respond: RequestListener = (_req, res) => {
      res.writeHead(200);
      res.flushHeaders();
      const until = process.hrtime.bigint() + 20_000_000n;
      while (process.hrtime.bigint() < until);
      res.end();
    };

    const [response, total] = (await lineOf(':response-time :total-time', respond)).split(' ').map(Number);

    expect(response).to.be.within(0.001, 20);
    expect(total).to.be.within(20, 1000);
  });

  proves('L-2.4-16');
  it(':response-time and :total-time start at the call of the logger', () => {
    const req = { _startAt: [10, 999_000_000] };
    const res = { _startAt: [12, 1_234_567] };

    expect(tokens['response-time']?.(req, res)).to.equal('1002.235');
    expect(tokens['response-time']?.({}, res)).to.equal(undefined);
    expect(tokens['total-time']?.(req, {})).to.equal(undefined);
  });

  proves('L-2.4-19');
  it(':status is read from a response object that has only _header and statusCode', () => {
    expect(tokens.status?.({}, { _header: 'HTTP/1.1 200 OK', statusCode: 200 })).to.equal('200');
    expect(tokens.status?.({}, { _header: null, statusCode: 200 })).to.equal(undefined);
  });

  proves('L-2.4-26');
  it('a token escapes the same characters as morgan', () => {
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

  proves('L-2.4-26 L-4-16');
  it('a token that is called as a function returns an escaped value, or undefined', () => {
    expect(tokens.method?.({ method: 'GET\n' })).to.equal('GET\\n');
    expect(tokens.req?.({ headers: {} }, {}, 'x')).to.equal(undefined);
  });

  proves('L-4-17');
  it('the middleware records the start of a request with millisecond resolution', () => {
    const { now } = Date;
    const middleware = logger('x', { stream: new Log(), immediate: true });
    const starts = [1000, 1000, 1001].map((at) => {
      Date.now = () => at;
      const req = { headers: {} } as { _startTime?: Date };
      try {
        middleware(req as never, {} as never, () => {});
      } finally {
        Date.now = now;
      }
      return req._startTime?.getTime();
    });

    expect(starts).to.deep.equal([1000, 1000, 1001]);
  });

  proves('L-4-08 L-2.3-01');
  it('the logger has the properties of morgan first, in the same order', () => {
    const names = Object.keys(morgan);
    const ours = Object.keys(logger).filter((name) => names.includes(name));

    expect(ours).to.deep.equal(names);
    expect(Object.keys(logger).filter((name) => !names.includes(name))).to.deep.equal([
      'json',
      'ecs',
      'otel',
      'route',
      'aborted',
      'id',
      'trace-id',
      'span-id',
      'bytes-sent',
    ]);
  });
});
