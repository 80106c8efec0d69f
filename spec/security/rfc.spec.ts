/** What RFC 9110 and RFC 9112 require of a server, beside Express. */
import { createServer } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import framework from 'nozomi';
import { playSteps } from '../../parity/client/exchange';
import { raw } from '../../parity/client/request';
import type { Framework } from '../support/both';
import { PATIENCE } from '../support/play';
import { serving } from '../support/serve';

/** Milliseconds to wait for a response that does not come. */
const SHORT = 700;

const H = 'Host: h\r\n';
const JSON_BODY = `${H}Content-Type: application/json\r\n`;

/** The statuses that each requirement allows; then whether Nozomi with its strict settings, and Express, meet it. */
type Probe = readonly [
  section: string,
  what: string,
  request: string,
  allowed: readonly number[],
  strict: boolean,
  express: boolean,
];

const PROBES: readonly Probe[] = [
  ['RFC 9112 §2.2', 'empty line first', `\r\nGET / HTTP/1.1\r\n${H}\r\n`, [200], true, true],
  ['RFC 9112 §2.2', 'bare CR', `GET / HTTP/1.1\r\n${H}X: a\rb\r\n\r\n`, [400], true, true],
  ['RFC 9112 §2.2', 'space before headers', `GET / HTTP/1.1\r\n X: a\r\n${H}\r\n`, [400], true, true],
  ['RFC 9112 §2.3', 'HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', [200], true, true],
  ['RFC 9112 §3', 'space in the target', `GET /a b HTTP/1.1\r\n${H}\r\n`, [400], true, true],
  ['RFC 9112 §3', 'long target', `GET /${'a'.repeat(70_000)} HTTP/1.1\r\n${H}\r\n`, [414, 431], true, true],
  ['RFC 9112 §3', 'unknown method', `FOO / HTTP/1.1\r\n${H}\r\n`, [400, 405, 501], true, true],
  ['RFC 9110 §9.1', '501 for an unknown method', `FOO / HTTP/1.1\r\n${H}\r\n`, [501], false, false],
  ['RFC 9110 §15.5.6', '405', `DELETE / HTTP/1.1\r\n${H}\r\n`, [405], false, false],
  ['RFC 9112 §3.2', 'no Host', 'GET / HTTP/1.1\r\n\r\n', [400], true, true],
  ['RFC 9112 §3.2', 'two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', [400], true, false],
  ['RFC 9112 §3.2', 'invalid Host', 'GET / HTTP/1.1\r\nHost: a b/c\r\n\r\n', [400], true, false],
  ['RFC 9112 §3.2', 'user in Host', 'GET / HTTP/1.1\r\nHost: u:p@h\r\n\r\n', [400], true, false],
  ['RFC 9112 §3.2', 'empty Host', 'GET / HTTP/1.1\r\nHost:\r\n\r\n', [200, 400], true, true],
  ['RFC 9112 §3.2.2', 'absolute form', `GET http://h/ HTTP/1.1\r\n${H}\r\n`, [200], true, true],
  ['RFC 9112 §3.2.2', 'another Host', `GET http://other/ HTTP/1.1\r\n${H}\r\n`, [400], true, false],
  ['RFC 9112 §3.2.4', 'OPTIONS *', `OPTIONS * HTTP/1.1\r\n${H}\r\n`, [200, 204, 404], true, true],
  ['RFC 9112 §5.1', 'space before a colon', `GET / HTTP/1.1\r\n${H}X : a\r\n\r\n`, [400], true, true],
  ['RFC 9110 §5.1', 'empty name', `GET / HTTP/1.1\r\n${H}: a\r\n\r\n`, [400], true, true],
  ['RFC 9110 §5.5', 'NUL', `GET / HTTP/1.1\r\n${H}X: a\0b\r\n\r\n`, [400], true, true],
  ['RFC 6585 §5', 'long header', `GET / HTTP/1.1\r\n${H}X: ${'a'.repeat(70_000)}\r\n\r\n`, [431], true, true],
  [
    'RFC 9112 §6.1',
    'Content-Length and chunked',
    `POST / HTTP/1.1\r\n${JSON_BODY}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    [400],
    true,
    true,
  ],
  [
    'RFC 9112 §6.3',
    'two lengths',
    `POST / HTTP/1.1\r\n${H}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    [400],
    true,
    true,
  ],
  [
    'RFC 9112 §6.3',
    'list of lengths',
    `POST / HTTP/1.1\r\n${H}Content-Length: 1, 2\r\n\r\nab`,
    [400],
    true,
    true,
  ],
  ['RFC 9112 §6.3', 'signed length', `POST / HTTP/1.1\r\n${H}Content-Length: +1\r\n\r\na`, [400], true, true],
  [
    'RFC 9112 §7.1',
    'no chunk size',
    `POST / HTTP/1.1\r\n${JSON_BODY}Transfer-Encoding: chunked\r\n\r\nxx\r\n`,
    [400],
    true,
    true,
  ],
  [
    'RFC 9112 §7.1',
    'chunk size 0x2',
    `POST / HTTP/1.1\r\n${JSON_BODY}Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n`,
    [400],
    true,
    true,
  ],
  [
    'RFC 9112 §7.1.1',
    'chunk extension',
    `POST / HTTP/1.1\r\n${JSON_BODY}Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\n\r\n`,
    [200],
    true,
    true,
  ],
  ['RFC 9110 §10.1.1', 'unknown expectation', `GET / HTTP/1.1\r\n${H}Expect: x\r\n\r\n`, [417], true, true],
  [
    'RFC 9110 §7.8',
    'unknown upgrade',
    `GET / HTTP/1.1\r\n${H}Connection: upgrade\r\nUpgrade: x\r\n\r\n`,
    [200],
    true,
    true,
  ],
  [
    'RFC 9110 §13.1.2',
    'If-None-Match: *',
    `GET / HTTP/1.1\r\n${H}If-None-Match: *\r\n\r\n`,
    [304],
    true,
    true,
  ],
  [
    'RFC 9110 §15.5.14',
    '413 before a body that never comes',
    `POST / HTTP/1.1\r\n${JSON_BODY}Content-Length: 999999\r\n\r\n{`,
    [413],
    true,
    false,
  ],
];

describe('requirements of RFC 9110 and RFC 9112', () => {
  const build = (implementation: Framework) => {
    const app = implementation().set('env', 'test').use(implementation.json());
    return app.get('/', (_req, res) => void res.send('a')).post('/', (_req, res) => void res.send('b'));
  };
  const strict = () => {
    const app = build(framework as unknown as Framework);
    return app.enable('strict host').enable('strict paths').enable('strict body limit');
  };

  for (const [section, what, request, allowed, ours, theirs] of PROBES) {
    it(`${what}: the strict settings ${ours ? 'meet' : 'do not meet'} it, Express does${theirs ? '' : ' not'} [${section}]`, async () => {
      expect(await meets(strict(), request, allowed, ours)).to.equal(ours);
      expect(await meets(build(express), request, allowed, theirs)).to.equal(theirs);
    });
  }

  it('are met at least as often with the strict settings as by Express', () => {
    const lost = PROBES.filter(([, , , , ours, theirs]) => theirs && !ours);
    expect(lost).to.deep.equal([]);
  });
});

async function meets(
  app: ReturnType<Framework>,
  request: string,
  allowed: readonly number[],
  isExpected: boolean,
) {
  return serving(createServer(app), async (port) => {
    // No response counts as none of the statuses.
    const [exchange] = await playSteps([raw(Buffer.from(request, 'latin1'))], {
      port,
      patience: isExpected ? PATIENCE : SHORT,
    });
    return allowed.includes(exchange?.response.status ?? 0);
  });
}
