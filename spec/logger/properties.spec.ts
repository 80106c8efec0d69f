import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import logger from 'nozomi/logger';
import { character } from '../support/arbitraries/character';
import { receive } from '../support/connections';
import { serving } from '../support/serve';
import { type Both, both } from './support/both';
import { withoutTimes } from './support/log';
import { get } from './support/serve';

/** Generates hostile input for a log: line ends, quotes, escapes, and long texts. */
const hostile = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      '"',
      '\\',
      '\n',
      '\r',
      '\t',
      '\0',
      '\x1b',
      '\x85',
      '\u2028',
      '\u2029',
      ' ',
      'a',
      ':',
      '%',
      '\ud800',
    ),
  }),
  fc.string({ unit: character }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('x'.repeat(6000), '"'.repeat(3000), '%s%d%j', '__proto__'),
);

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for them
const COLOR = /\u001b\[\d*m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for them
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]+\n$/;

/** Generates a header value that Node.js accepts: characters from U+0020 to U+00FF except U+007F. */
const header = fc
  .string({
    unit: fc
      .integer({ min: 0x20, max: 0xff })
      .filter((code) => code !== 0x7f)
      .map((code) => String.fromCharCode(code)),
  })
  .map((value) => value.trim());

const credentials = fc.oneof(
  hostile.map((user) => `Basic ${Buffer.from(`${user}:secret`).toString('base64')}`),
  fc.base64String().map((text) => `Basic ${text}`),
  header,
);

const asked = fc.record({
  target: fc.webPath().map((path) => `/${path.slice(0, 500)}`.replace(/^\/+/, '/')),
  agent: header,
  referrer: header,
  authorization: credentials,
  /** The server sets this method before the loggers run, because Node.js's HTTP parser rejects unknown methods. */
  method: fc.option(hostile),
  originalUrl: fc.option(hostile),
  headers: fc.constantFrom('implicit', 'object', 'array', 'reason'),
  status: fc.constantFrom(200, 204, 301, 304, 404, 500),
  value: header,
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

const NAMES = [
  'url',
  'method',
  'response-time',
  'date',
  'status',
  'referrer',
  'remote-addr',
  'remote-user',
  'pid',
  'http-version',
  'user-agent',
];
const NAMED = ['combined', 'common', 'dev', 'short', 'tiny'];
const random = fc
  .array(
    fc.oneof(
      fc.constantFrom(...NAMES).map((name) => `:${name}`),
      fc.constantFrom('clf', 'web', 'iso', 'none').map((arg) => `:date[${arg}]`),
      fc.constantFrom('0', '3', '6').map((digits) => `:response-time[${digits}]`),
      fc
        .constantFrom('user-agent', 'X-Value', 'authorization', 'a"b', 'a"+b', 'a\\b')
        .map((name) => `:req[${name}]`),
      fc.constantFrom('X-Value', 'content-length', 'X-Many').map((name) => `:res[${name}]`),
      fc.constantFrom(
        '" + process.exit() + "',
        '$' + '{process.exit()}',
        '");process.exit();//',
        '`$' + '{process.exit()}`',
        ':method["]',
        '</script>',
        '\\"',
        ':x',
        '::',
        ':[',
        '[a]',
        '%s',
      ),
      hostile.filter((text) => !/:[-\w]{2,}/.test(text)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(' '))
  // Drops names of properties of the logger, such as `__proto__`, because they select a predefined format.
  .filter((chosen) => !(chosen in logger));
const format = fc.oneof(
  { weight: 4, arbitrary: random },
  { weight: 1, arbitrary: fc.constantFrom(...NAMED) },
);

/** Sends all requests on one connection. Each runs through both loggers. */
async function play(pair: Both, requests: Asked[]): Promise<void> {
  let next = 0;
  await serving(
    (req, res) => {
      const { method, originalUrl } = requests[next++] as Asked;
      if (method !== null) req.method = method;
      if (originalUrl !== null) (req as IncomingMessage & { originalUrl: string }).originalUrl = originalUrl;
      pair.listener(req, res);
    },
    async (at) => {
      const bytes = requests.map(({ target, agent, referrer, authorization }, i) =>
        get(target, {
          'User-Agent': agent,
          Referer: referrer,
          Authorization: authorization,
          ...(i === requests.length - 1 && { Connection: 'close' }),
        }),
      );
      await receive(at, bytes.join(''));
    },
  );
  await Promise.all([pair.ours.until(requests.length), pair.theirs.until(requests.length)]);
}

function answering(requests: Asked[], make: typeof both, chosen: string): Both {
  let next = 0;
  return make(chosen, (_req, res) => {
    const { headers, status, value } = requests[next++] as Asked;
    res.setHeader('X-Many', [value, 'b']);
    if (headers === 'object') res.writeHead(status, { 'X-Value': value });
    else if (headers === 'array') res.writeHead(status, ['X-Value', value]);
    else if (headers === 'reason') res.writeHead(status, 'Because', { 'X-Value': value });
    else res.statusCode = status;
    res.end();
  });
}

proves('L-1-03 L-2.4-26');
describe('lines of the logger for random requests', () => {
  proves('CVE-2019-5413 L-2.1-02 L-4-08');
  it('equal the lines of morgan for any format and any requests', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(format, fc.array(asked, { minLength: 1, maxLength: 5 }), async (chosen, requests) => {
        const pair = answering(requests, both, chosen);
        await play(pair, requests);

        expect(pair.ours.lines.map(withoutTimes)).to.deep.equal(pair.theirs.lines.map(withoutTimes));
      }),
      { numRuns: 300 },
    );
  });

  proves('CVE-2026-5078 GHSA-4vj7-5mj6-jm8m L-1-04');
  it('are 5,000 lines without a line break for 5,000 hostile requests', async function () {
    this.timeout(120_000);
    const line =
      ':remote-user ":method :url" ":referrer" ":user-agent" :status :res[x-many] :req[authorization]';
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          { weight: 4, arbitrary: fc.constant(line) },
          { weight: 1, arbitrary: fc.constantFrom(...NAMED) },
        ),
        fc.array(asked, { minLength: 50, maxLength: 50 }),
        async (chosen, requests) => {
          const pair = answering(requests, both, chosen);
          await play(pair, requests);

          const [ours, theirs] = [pair.ours, pair.theirs].map(({ lines }) => lines.map(withoutTimes));
          expect(ours).to.have.length(requests.length).and.to.deep.equal(theirs);
          for (const one of pair.ours.lines) expect(one.replace(COLOR, '')).to.match(ONE_LINE);
          count += pair.ours.lines.length;
        },
      ),
      { numRuns: 100 },
    );

    expect(count).to.equal(5000);
  });

  proves('L-4-01 L-4-08');
  it('are written without generating code for any format', () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        const compiled = logger.compile(text.replaceAll(':', ''));

        expect(compiled({}, {} as never, {} as never)).to.equal(text.replaceAll(':', ''));
      }),
    );
  });
});
