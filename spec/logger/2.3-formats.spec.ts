import { execFileSync } from 'node:child_process';
import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import logger from 'nozomi/logger';
import { Log, withoutTimes } from './support/log';
import { ask, basic } from './support/serve';

const FIELDS = { ...basic('tj'), Referer: 'http://spec.test/from', 'User-Agent': 'spec/1.0' };

async function lineOf(format: string, respond?: RequestListener): Promise<string> {
  const log = new Log();
  const middleware = logger(format, { stream: log });
  await ask(
    (req, res) =>
      middleware(req, res, () => {
        if (respond) respond(req, res);
        else res.writeHead(200, { 'Content-Length': 5 }).end('hello');
      }),
    '/path',
    FIELDS,
  );
  return withoutTimes((await log.until(1))[0] as string);
}

describe('the predefined formats of the logger (L-2.3)', () => {
  for (const [id, name, line] of [
    [
      'L-2.3-01',
      'combined',
      '127.0.0.1 - tj [<clf>] "GET /path HTTP/1.1" 200 5 "http://spec.test/from" "spec/1.0"\n',
    ],
    ['L-2.3-02', 'common', '127.0.0.1 - tj [<clf>] "GET /path HTTP/1.1" 200 5\n'],
    ['L-2.3-09', 'short', '127.0.0.1 tj GET /path HTTP/1.1 200 5 - <ms> ms\n'],
    [
      'L-2.3-10',
      'default',
      '127.0.0.1 - tj [<web>] "GET /path HTTP/1.1" 200 5 "http://spec.test/from" "spec/1.0"\n',
    ],
    ['L-2.3-11', 'tiny', 'GET /path 200 5 - <ms> ms\n'],
    ['L-2.3-03', 'dev', '\x1b[0mGET /path \x1b[32m200\x1b[0m <ms> ms - 5\x1b[0m\n'],
  ] as const) {
    it(`${name} writes the documented line [${id}]`, async () => {
      expect(await lineOf(name)).to.equal(line);
    });
  }

  for (const [id, status, color] of [
    ['L-2.3-04', 204, 32],
    ['L-2.3-05', 503, 31],
    ['L-2.3-06', 404, 33],
    ['L-2.3-07', 302, 36],
    // 101 is the only status below 200 that clients accept as a final response.
    ['L-2.3-08', 101, 0],
  ] as const) {
    it(`dev writes ${status} in the colour ${color} [${id}]`, async () => {
      const line = await lineOf('dev', (_req, res) => res.writeHead(status, { Connection: 'close' }).end());

      expect(line).to.contain(`\x1b[${color}m${status}\x1b[0m`);
    });
  }

  it('dev uses no colour for a request without a response [L-2.3-08 L-7-02]', async () => {
    const line = await lineOf('dev', (_req, res) => res.destroy());

    expect(line).to.equal('\x1b[0mGET /path \x1b[0m-\x1b[0m - ms - -\x1b[0m\n');
  });

  it('dev writes no escape sequences if NO_COLOR is set when the process starts [L-2.3-03]', () => {
    const dev = (NO_COLOR: string) =>
      execFileSync(
        process.execPath,
        [
          '-p',
          `const l = require('nozomi/logger'); JSON.stringify(l.dev(l, { method: 'GET', url: '/' }, { headersSent: false }))`,
        ],
        { env: { ...process.env, NO_COLOR }, encoding: 'utf8' },
      );

    expect(dev('1')).to.equal('"GET / - - ms - -"\n');
    expect(dev('')).to.equal('"\\u001b[0mGET / \\u001b[0m-\\u001b[0m - ms - -\\u001b[0m"\n');
  });
});
