import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import type * as har from 'har-format';
import express from 'nozomi';
import { readHar } from '../../parity/application/traffic';
import { decodeBody } from '../../parity/client/decode';
import { playSteps } from '../../parity/client/exchange';
import type { Step } from '../../parity/client/request';
import { type RecorderOptions, recorder } from '../../parity/recorder';
import { Scrubber } from '../../parity/recorder/scrub';
import { temporaryFolder } from '../../parity/temporary-folder';
import { APPLICATIONS, runParity } from '../support/command';
import { expectLinear, leastCost } from '../support/cost';
import { serving } from '../support/serve';
import { PLANTED, SECRETS } from './planted';

const ALL = ['terminal', 'json', 'junit', 'github', 'html'];

describe('secrets in recordings', () => {
  let file: string;
  let entries: har.Entry[];

  before(async () => {
    file = await record(PLANTED);
    entries = JSON.parse(readFileSync(file, 'utf8')).log.entries;
  });

  it('are masked: in headers, targets, forms, uploads, compressed bodies and texts inside texts', () => {
    const text = readFileSync(file, 'utf8') + entries.flatMap(bodiesOf).join('\n');

    expect(SECRETS).to.have.length.above(120);
    expect(entries).to.have.length(PLANTED.length);
    expect(SECRETS.filter((secret) => text.includes(secret))).to.deep.equal([]);
  });

  it('leave requests that can be replayed', () => {
    const { requests, leftOut } = readHar(file);

    expect(leftOut).to.deep.equal([]);
    expect(requests).to.have.length(PLANTED.length);
  });

  it('are dropped with a body or a part that cannot be read, and the entry says so', () => {
    const comments = entries.map(({ request }) => [
      new URL(request.url).pathname,
      request.postData?.comment?.replace('dropped, and replaced with "x": ', ''),
    ]);

    expect(comments.filter(([, comment]) => comment !== undefined)).to.deep.equal([
      ['/upload', 'a part that is not text'],
      ['/unknown', 'a body that cannot be decoded'],
      ['/broken', 'a body that cannot be decoded'],
      ['/utf16', 'a body that is not text'],
      ['/bytes', 'a body that is not text'],
    ]);
  });

  it('are masked in the body of a compressed request, which stays compressed', () => {
    const [body = ''] = entries.filter(({ request }) => request.url.endsWith('/gzip')).map(sentBody);

    expect(String(gunzipSync(body))).to.match(/^\{"password":"masked-[\da-f]{4}"\}$/);
  });
});

describe('secrets in reports', () => {
  it('are masked by every reporter, by --show and by --list', async () => {
    const folder = temporaryFolder('planted');
    // A recording of a browser contains all secrets.
    const file = await record(PLANTED, { scrub: false });
    const run = async (...args: string[]): Promise<string> => {
      const { output, errors } = await runParity(['echo.js', '--har', file, ...args], { cwd: APPLICATIONS });
      return output + errors;
    };
    const reporters = ALL.flatMap((name) => ['--reporter', `${name}=${join(folder, name)}`]);
    const printed = [
      await run('--candidate', '../faulty/renamed', ...reporters),
      await run('--show'),
      await run('--list'),
    ];
    const reports = [...ALL.map((name) => readFileSync(join(folder, name), 'utf8')), ...printed];

    expect(readFileSync(file, 'utf8')).to.include(SECRETS[0]);
    expect(reports[0]).to.include('renamed').and.to.include('masked-');
    for (const [index, text] of reports.entries())
      expect(
        SECRETS.filter((secret) => text.includes(secret)),
        ALL[index],
      ).to.deep.equal([]);
  });
});

describe('masking', () => {
  const scrubber = new Scrubber();

  it('keeps what has a name that only resembles a secret', () => {
    const names =
      'monkey keyboard keyCode keywords pinned spinning author authority authors passenger compass bypass tokenizer secretary ' +
      'max_tokens token_type tokenEndpoint passwordPolicy publicKey primaryKey sortKey keys sessions signatureAlgorithm statusCode';
    const text = JSON.stringify(Object.fromEntries(names.split(' ').map((name) => [name, 'shown'])));
    const query = names
      .split(' ')
      .map((name) => `${name}=shown`)
      .join('&');

    expect(scrubber.text(text)).to.equal(text);
    expect(scrubber.url(`/search?${query}`)).to.equal(`/search?${query}`);
    for (const name of ['Idempotency-Key', 'Sec-WebSocket-Key', 'Access-Control-Allow-Headers', 'ETag'])
      expect(scrubber.header(name, 'Authorization')).to.equal('Authorization');
    expect(scrubber.header('Access-Control-Allow-Credentials', 'true')).to.equal('true');
  });

  it('masks the whole value of a header with a secret name, in a text of header lines', () => {
    for (const line of [
      'X-Api-Key: first second; third="four"',
      'Api-Key: a,b, c d',
      'X-Auth-Token: {"a":"b c"}',
    ])
      expect(scrubber.lines(`GET / HTTP/1.1\r\n${line}\r\nHost: a\r\n\r\n`)).to.match(
        /^GET \/ HTTP\/1\.1\r\n[\w-]+: masked-[\da-f]{4}\r\nHost: a\r\n\r\n$/,
      );
  });

  it('keeps names of packages with their versions, which resemble addresses', () => {
    expect(scrubber.url('/npm/vue@3.5.1/dist/@scope/a@1.0.0-rc.1')).to.equal(
      '/npm/vue@3.5.1/dist/@scope/a@1.0.0-rc.1',
    );
  });

  it('keeps all other characters of a JSON text', () => {
    const text =
      '{ "id" : 12345678901234567890.10,\n\t"a":"\\u00e9", "token": null, "pin": true, "a":1e400 }';

    expect(scrubber.text(text)).to.equal(text);
  });

  it('gives equal secrets equal replacements, in any encoding', () => {
    const [one] = /masked-\w{4}/.exec(scrubber.url('/?token=a%20b')) ?? [];

    expect(scrubber.text('{"token":"a b"}')).to.include(one);
    expect(String(scrubber.body(Buffer.from('token=a+b'), { type: FORM }).bytes)).to.include(one);
  });

  it('does not change a text that it has masked', () => {
    fc.assert(
      fc.property(hostile(400), (text) => {
        const once = scrubber.lines(text);
        expect(scrubber.lines(once)).to.equal(once);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps JSON valid, with the same names and the same types', () => {
    const members = fc.dictionary(
      fc.constantFrom('password', 'a', 'pin', 'name'),
      fc.jsonValue({ maxDepth: 3 }),
    );

    fc.assert(
      fc.property(members, (value) => {
        const masked: unknown = JSON.parse(scrubber.text(JSON.stringify(value)));
        expect(shapeOf(masked)).to.deep.equal(shapeOf(JSON.parse(JSON.stringify(value))));
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the variables of GraphQL and their types, and masks their values', () => {
    const query =
      'mutation In($password: String!, $keys: [String!], $p: ID = "x") { a(password: $password, apiKey: $p, key: $keys) { token } }';
    const text = JSON.stringify({
      query,
      variables: { password: 'seen1', p: 'seen2', keys: ['seen3'], other: 'shown' },
    });
    const masked = JSON.parse(new Scrubber().text(text));

    expect(masked.query).to.equal(query);
    expect(JSON.stringify(masked.variables)).to.not.include('seen');
    expect(masked.variables.other).to.equal('shown');
    expect(new Scrubber().text('{ a(password: "$seen") }')).to.not.include('seen');
    expect(new Scrubber().text('password: $seen4')).to.not.include('seen');
  });

  it('masks a value that was secret elsewhere, in each form, but no word or time', () => {
    const scrubber = new Scrubber();
    const secret = 'a/b&"c1"+d2';
    const words = [
      'production',
      'is required',
      '2026-01-01',
      'application/json',
      '/docs/v2/start',
      'https://a.test/1',
      '12345',
    ];
    scrubber.text(JSON.stringify({ token: secret, list: words.map((key) => ({ key })), session: words[2] }));
    const forms = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      'a/b&amp;&quot;c1&quot;+d2',
      Buffer.from(secret).toString('base64'),
    ];

    for (const form of forms)
      expect(scrubber.text(`one ${form} two`), form).to.match(/^one masked-\w{4} two$/);
    expect(scrubber.text(`x${forms[4]}`)).to.equal(`x${forms[4]}`);
    for (const word of words) expect(scrubber.text(`one ${word}, two`)).to.equal(`one ${word}, two`);
  });

  it('has a limit for the values that it masks everywhere, and a time that is linear in the length', () => {
    const scrubber = new Scrubber();
    for (let index = 0; index < 3000; index++) scrubber.text(JSON.stringify({ token: `long-word-${index}` }));

    expect(scrubber.known.dropped).to.be.above(2000);
    expectLinear(
      (text) => scrubber.again(text),
      (length) => 'long-word-'.repeat(length / 10),
    );
  });

  it('takes time linear in the length, for any text', () => {
    const reads: Array<(text: string) => unknown> = [
      (text) => scrubber.lines(text),
      (text) => scrubber.url(text),
      (text) => scrubber.paths(text),
      (text) => scrubber.header('Cookie', text),
      (text) => scrubber.body(Buffer.from(text), { type: FORM }),
      (text) => scrubber.body(Buffer.from(text), { type: 'multipart/form-data; boundary=x' }),
      (text) => scrubber.body(Buffer.from(JSON.stringify([text])), { type: 'application/json' }),
    ];

    for (const name of ['pin', 'token', 'password'])
      for (const separator of [':', '=', ':1', '://', ': ', ': $a '])
        expectLinear(
          (text) => scrubber.text(text),
          (length) => `${name}${separator}`.repeat(length).slice(0, length),
        );
    for (const fragment of FRAGMENTS) {
      const text = fragment.repeat(Math.ceil(20_000 / fragment.length));
      expect(
        leastCost(() => scrubber.lines(text), 500),
        JSON.stringify(fragment),
      ).to.be.below(500);
    }
    fc.assert(
      fc.property(hostile(6), fc.constantFrom('', ...FRAGMENTS), (unit, end) => {
        fc.pre(unit !== '');
        const text = unit.repeat(Math.ceil(250_000 / unit.length)) + end;
        for (const [index, read] of reads.entries())
          expect(
            leastCost(() => read(text), 3000),
            `${index} ${JSON.stringify(unit)}`,
          ).to.be.below(3000);
      }),
      { numRuns: 25 },
    );
  });
});

describe('the file of a recording', () => {
  it('can be read by its user only, also if it replaces a file that others can read', async () => {
    const file = join(temporaryFolder('mode'), 'traffic.har');
    writeFileSync(file, 'old', { mode: 0o644 });
    recorder({ file });

    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(readFileSync(file, 'utf8')).to.match(/^\{"log"/);
  });

  it('is not written through a symbolic link', () => {
    const folder = temporaryFolder('link');
    const [file, target, none] = ['traffic.har', 'target', 'none'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(target, 'kept');
    for (const to of [target, none]) {
      const link = `${file}-${to === none}`;
      symlinkSync(to, link);

      expect(() => recorder({ file: link })).to.throw(/is a symbolic link/);
      expect(lstatSync(link).isSymbolicLink()).to.equal(true);
    }
    expect(readFileSync(target, 'utf8')).to.equal('kept');
    expect(existsSync(none)).to.equal(false);
  });
});

const FORM = 'application/x-www-form-urlencoded';

/** Pieces of the texts that the scrubber looks for. */
// biome-ignore format: a table
const FRAGMENTS = [
  'a', '"', '\\', '\\"', '\\u0070', 'password', 'token', '=', ':', '": ', '{', '}', '[', ']', '<',
  '>', '</', '/', '<password>', '</password>', '&', '&quot;', '%', '%40', '%25', '%3D', '%22', '@',
  '.', 'a.', '-', '--', '\n', '\r\n', '-----BEGIN ', '-----END', 'eyJ', 'eyJa.', ' ', 'name="',
  'Content-Disposition: form-data; name="', 'Bearer ', '://',
  '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n', '4111', '1', 'é', '\u{1f600}',
  'data: {', '=>', "'", '`',
    ';',
    '?', '#', '(', ')', ',', '\ud800', '<![CDATA[', ']]>', '/reset/', ':1', 'file://', 'C:\\',
    '"token":[',
];

function hostile(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...FRAGMENTS), { maxLength }).map((parts) => parts.join(''));
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value === null || typeof value !== 'object') return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
}

/** Records requests to the application `echo.js`. @returns The path of the recording. */
async function record(steps: readonly Step[], options: Partial<RecorderOptions> = {}): Promise<string> {
  const file = join(temporaryFolder('recording'), 'traffic.har');
  const app = express();
  app.use(recorder({ file, ...options }), require(join(APPLICATIONS, 'echo.js')));
  const { log } = console;
  console.log = () => {};
  try {
    await serving(createServer(app), (port) => playSteps(steps, { port, patience: 5000 }));
  } finally {
    console.log = log;
  }
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  return file;
}

function sentBody({ request: { postData } }: har.Entry): Buffer {
  const { text = '', encoding } = (postData ?? {}) as { text?: string; encoding?: string };
  return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
}

/** Returns the bodies of an entry as a parser reads them. */
function bodiesOf(entry: har.Entry): string[] {
  const body = sentBody(entry);
  const { text = '', encoding } = entry.response.content;
  const bodies = [body, Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8')];
  return bodies.flatMap((one) => [one.toString('latin1'), ...unpacked(one)]);
}

function unpacked(body: Buffer): string[] {
  return ['gzip', 'deflate', 'br'].flatMap((name) => decodeBody(body, name)?.toString('latin1') ?? []);
}
