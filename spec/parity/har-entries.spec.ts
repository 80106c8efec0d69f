import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readHar } from '../../parity/application/traffic';
import { temporaryFolder } from '../../parity/temporary-folder';

const URL = 'http://shop.test';
const FORM = 'application/x-www-form-urlencoded';

describe('entries of a HAR file', () => {
  // As the producer wrote it, and the target that is sent.
  const targets: ReadonlyArray<readonly [url: string, target: string]> = [
    ['/files/../secret', '/files/../secret'],
    ['/files/%2e%2e/secret', '/files/%2e%2e/secret'],
    ['/a/./b//c', '/a/./b//c'],
    ['/a\\b|c;v=1', '/a\\b|c;v=1'],
    [`/q?name='x'&json={"a":"b"}`, `/q?name='x'&json={"a":"b"}`],
    ['/%7Euser/%zz/%', '/%7Euser/%zz/%'],
    ['/sp ace\tx', '/sp%20ace%09x'],
    ['/café', '/caf%C3%A9'],
    ['/a?b=1#part', '/a?b=1'],
    ['?a=1', '/?a=1'],
    ['', '/'],
  ];
  for (const [url, target] of targets)
    it(`keep the target ${JSON.stringify(url)}`, () => {
      expect(requestsOf({ url: URL + url })[0]?.target).to.equal(target);
    });

  it('keep the exact target of a recording, which may be no path', () => {
    const file = written([{ request: { url: `${URL}/a` }, _target: 'http://other.test/a' }]);

    expect(readHar(file).requests[0]?.target).to.equal('http://other.test/a');
  });

  it('may have paths instead of URLs, and any members that are missing', () => {
    const [first, second] = requestsOf(
      { url: '/v1/a' },
      { url: '/v1/b', headers: [{ name: 'Host', value: 'b.test' }] },
    );

    expect(first).to.include({ method: 'GET', target: '/v1/a' });
    expect(first?.headers).to.deep.equal([['Host', 'parity.test']]);
    expect(second?.headers).to.deep.equal([['Host', 'b.test']]);
  });

  it('begin after the tunnel of a proxy and a redirect to the origin', () => {
    const { requests, leftOut } = readHar(
      written([
        { request: { method: 'CONNECT', url: 'shop.test:443' } },
        { request: { url: `${URL}/` }, response: { status: 301 }, pageref: 'p' },
        { request: { url: 'https://shop.test/' }, pageref: 'p' },
        { request: { url: 'https://cdn.test/a' }, pageref: 'p' },
        { request: { url: 'https://cdn.test/b' }, pageref: 'p' },
      ]),
    );

    expect(requests.map(({ id }) => id)).to.deep.equal(['GET /']);
    expect(leftOut.map(({ why }) => why)).to.deep.equal(['other origin', 'other origin', 'other origin']);
  });

  it('keep their place without a valid time', () => {
    const at = (time: string, path: string): object => ({
      startedDateTime: time,
      request: { url: URL + path },
    });
    const { requests } = readHar(
      written([at('2026-11-20T10:00:02Z', '/b'), at('yesterday', '/c'), at('2026-11-20T10:00:01Z', '/a')]),
    );

    expect(requests.map(({ target }) => target)).to.deep.equal(['/a', '/b', '/c']);
  });

  // The type and the length in the headers, the `postData`, and what is sent.
  const bodies: ReadonlyArray<
    readonly [title: string, headers: string[], data: unknown, sent: string | undefined]
  > = [
    [
      'params',
      [FORM, '9'],
      {
        mimeType: FORM,
        params: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2 3' },
        ],
      },
      'a=1&b=2+3',
    ],
    ['params beside empty text', [FORM], { text: '', params: [{ name: 'a', value: '1' }] }, 'a=1'],
    ['params as sent, by the length', [FORM, '7'], { params: [{ name: 'a+b', value: '1%2' }] }, 'a+b=1%2'],
    ['params that are encoded', [FORM], { params: [{ name: 'a', value: '%40' }, { name: 'b' }] }, 'a=%40&b='],
    ['params that are not encoded', [FORM], { params: [{ name: 'a', value: 'x@%40' }] }, 'a=x%40%2540'],
    ['a null value', [FORM], { params: [{ name: 'a', value: null }] }, 'a='],
    ['base64', ['text/plain'], { text: 'aMOp', encoding: 'base64' }, 'hé'],
    ['a charset', ['text/plain; charset=iso-8859-1'], { text: 'é' }, '\xe9'],
    ['no postData', [FORM], undefined, ''],
    ['null', [FORM], null, ''],
    ['an empty object', [FORM], {}, ''],
    ['a type only', [], { mimeType: 'application/json' }, ''],
    ['a length without text', [FORM, '9'], { mimeType: FORM }, undefined],
    ['a text of another length', ['text/plain', '9'], { text: 'cut' }, undefined],
    [
      'an upload without its file',
      ['multipart/form-data; boundary=x'],
      { params: [{ name: 'f', fileName: 'a.png' }] },
      undefined,
    ],
  ];
  for (const [title, [type = '', length], postData, sent] of bodies)
    it(`have a body: ${title}`, () => {
      const headers = [
        { name: 'Content-Type', value: type },
        ...(length === undefined ? [] : [{ name: 'Content-Length', value: length }]),
      ];
      const file = written([
        { request: { url: URL } },
        { request: { method: 'POST', url: URL, headers, postData } },
      ]);
      const { requests, leftOut } = readHar(file);
      const payload = requests[1]?.payload;

      expect(payload && [payload.toString(), payload.toString('latin1')]).to.satisfy((texts?: string[]) =>
        sent === undefined ? texts === undefined : texts?.includes(sent),
      );
      expect(leftOut.map(({ why }) => why)).to.deep.equal(sent === undefined ? ['body not recorded'] : []);
    });

  it('have the type that only postData has, with its boundary', () => {
    const multipart = 'multipart/form-data; boundary=xYz';
    const post = (headers: object[], mimeType: string): object => ({
      method: 'POST',
      url: URL,
      headers,
      postData: { mimeType, text: '--xYz--' },
    });
    const requests = requestsOf(
      post([], 'application/json'),
      post([{ name: 'content-type', value: 'multipart/form-data' }], multipart),
    );

    expect(requests.map(({ headers }) => headers[1])).to.deep.equal([
      ['Content-Type', 'application/json'],
      ['content-type', multipart],
    ]);
  });

  it('keep the values of requests for each Set-Cookie, written as lines or as members', () => {
    const lines = { status: 200, headers: [{ name: 'set-cookie', value: 'a=1; Path=/\nb=2' }] };
    const members = { status: 200, cookies: [{ name: 'c', value: '3' }] };
    const { requests } = readHar(
      written([
        { request: { url: URL }, response: lines },
        { request: { url: URL }, response: members },
      ]),
    );

    expect(requests.map(({ answer }) => answer?.headers)).to.deep.equal([
      [
        ['set-cookie', 'a=1; Path=/'],
        ['set-cookie', 'b=2'],
      ],
      [['Set-Cookie', 'c=3']],
    ]);
  });

  for (const [encoding, bytes] of [
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, big-endian', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ] as const)
    it(`may be in ${encoding}`, () => {
      expect(readHar(written([{ request: { url: URL } }], bytes)).requests).to.have.length(1);
    });

  const wrong: ReadonlyArray<readonly [har: unknown, message: RegExp]> = [
    [[], /a\.har: expected a HAR file, an object with a list log\.entries, got \[\]$/],
    [{ log: { entries: {} } }, /expected a HAR file, .*, got \{\}$/],
    [entries({}), /a\.har: entry 2: request: expected an object, got nothing$/],
    [entries({ request: {} }), /entry 2: request\.method: expected a text, got nothing$/],
    [entries({ request: { method: 'GET' } }), /entry 2: request\.url: expected a text, got nothing$/],
    [
      entries({ request: { method: 'GET', url: 'a b' } }),
      /entry 2: request\.url: expected a URL or a path, got "a b"$/,
    ],
    [
      entries({ request: { method: 'G T', url: URL } }),
      /request\.method: expected a method such as GET, got "G T"$/,
    ],
    [
      entries({ request: { method: 'GET', url: URL, headers: [{ name: 'X-A', value: 'a\r\nb' }] } }),
      /entry 2: request\.headers, X-A: expected a value in one line, got "a\\r\\nb"$/,
    ],
    [
      entries({ request: { method: 'GET', url: URL, headers: [{ name: 'X-A', value: null }] } }),
      /entry 2: request\.headers\[0\]\.value, of X-A: expected a text, got null$/,
    ],
    [
      entries({ request: { method: 'POST', url: URL, postData: { params: [{ value: '1' }] } } }),
      /entry 2: request\.postData\.params\[0\]\.name: expected a text, got nothing$/,
    ],
  ];
  for (const [har, message] of wrong)
    it(`that cannot be read are an error: ${String(message)}`, () => {
      const file = join(temporaryFolder('har'), 'a.har');
      writeFileSync(file, JSON.stringify(har));

      expect(() => readHar(file)).to.throw(TypeError, message);
    });
});

function entries(second: object): object {
  return { log: { entries: [{ request: { method: 'GET', url: URL } }, second] } };
}

/** Writes a HAR file. The method of a request is GET if it has none. */
function written(all: readonly object[], encode = (text: string): Buffer => Buffer.from(text)): string {
  const file = join(temporaryFolder('har'), 'a.har');
  const complete = all.map((entry) => ({
    ...entry,
    request: { method: 'GET', ...(entry as { request?: object }).request },
  }));
  writeFileSync(file, encode(JSON.stringify({ log: { entries: complete } })));
  return file;
}

function requestsOf(...requests: readonly object[]): ReturnType<typeof readHar>['requests'] {
  return readHar(written(requests.map((request) => ({ request })))).requests;
}
