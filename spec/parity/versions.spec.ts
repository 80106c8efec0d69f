/** Recordings were made on Node.js 20. What a later version of Node.js sends otherwise must hide no other difference. */
import { expect } from 'chai';
import generateTag from 'etag';
import { get } from '../../parity/client/request';
import { BUILD } from '../../parity/implementations/implementations';
import { NOTHING } from '../../parity/implementations/observe';
import type { Observation } from '../../parity/implementations/protocol';
import { compare } from '../../parity/judge/compare';
import { normalise } from '../../parity/judge/normalise';

const OLD = 'Bad escaped character in JSON at position 7';
const NEW = `${OLD} (line 1 column 8)`;

/** A response with the message of an error, as Express sends it, and a log line with its length. */
function seen(message: string, wrong: { length?: number; tag?: string } = {}): Observation {
  const body = Buffer.from(JSON.stringify({ message }));
  const { length = body.length, tag = generateTag(body, { weak: true }) } = wrong;
  const headers = [
    ['Content-Length', `${length}`],
    ['ETag', tag],
  ] as const;
  const exchange = {
    request: get('/'),
    connection: 1,
    response: { version: 'HTTP/1.1', status: 400, reason: 'Bad Request', headers, body },
    outcome: 'kept',
    header: () => undefined,
  } as const;
  return { ...NOTHING, exchanges: [exchange], log: [`GET / 400 ${body.length}\n`], stderr: [`${message}\n`] };
}

/** Compares with the recording, and returns the places that differ. */
function differing(actual: Observation, implementation = BUILD): string[] {
  return compare(normalise(seen(OLD), implementation), normalise(actual, implementation)).map(
    ({ place }) => place,
  );
}

const BODY = ['1.headers.content-length', '1.headers.etag', '1.body', 'log.1', 'stderr.1'];

describe('parity: messages of JSON.parse, to which Node.js 22 and later add a line and a column', () => {
  it('equal those of Node.js 20, with the Content-Length, the ETag and the log line of their body', () => {
    expect(differing(seen(NEW))).to.deep.equal([]);
  });

  it('do not hide a wrong Content-Length or ETag', () => {
    const { length } = JSON.stringify({ message: NEW });

    expect(differing(seen(NEW, { length: length - 1 }))).to.deep.equal(['1.headers.content-length']);
    expect(differing(seen(NEW, { tag: 'W/"3c-other"' }))).to.deep.equal(['1.headers.etag']);
  });

  for (const [what, message] of [
    ['a column that does not follow from the position', `${OLD} (line 1 column 9)`],
    ['another line', `${OLD} (line 2 column 8)`],
    ['another position', NEW.replace('7', '6').replace('8', '7')],
    ['another text', NEW.replace('Bad', 'Good')],
    ['a text after it', `${NEW}.`],
    ['no message of JSON.parse before it', NEW.replace('JSON', 'YAML')],
  ] as const)
    it(`do not hide ${what}`, () => {
      expect(differing(seen(message))).to.include.members(['1.body', 'stderr.1']);
    });

  it('differ in an application, whose runs are on one version of Node.js', () => {
    expect(differing(seen(NEW), { ...BUILD, application: '/app.js' })).to.deep.equal(BODY);
  });
});
