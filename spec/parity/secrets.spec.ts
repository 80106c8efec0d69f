/**
 * Plants tokens of many kinds in many places of requests, and looks for them in the recording. The table that it prints
 * counts those that are still there.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type * as har from 'har-format';
import express from 'nozomi';
import { parse } from 'yaml';
import { readHar } from '../../parity/application/traffic';
import { playSteps } from '../../parity/client/exchange';
import { get, type HeaderRecord, post, type Step } from '../../parity/client/request';
import { recorder } from '../../parity/recorder';
import { TOKEN_FORMATS } from '../../parity/recorder/token-formats';
import { temporaryFolder } from '../../parity/temporary-folder';
import { serving } from '../support/serve';

interface Kind {
  readonly kind: string;
  readonly sample: string;
  readonly format?: boolean;
}

const KINDS: readonly Kind[] = parse(readFileSync(join(__dirname, 'secrets.yaml'), 'utf8'));

const ALPHABETS: Readonly<Record<string, string>> = {
  hex: '0123456789abcdef',
  dig: '0123456789',
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  let: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
  up: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  an: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  w: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
};

const encode = encodeURIComponent;
const json = (value: unknown, headers: HeaderRecord = {}): Step =>
  post('/echo', JSON.stringify(value), { 'Content-Type': 'application/json', ...headers });
const typed = (type: string, body: string | Buffer, headers: HeaderRecord = {}): Step =>
  post('/echo', body, { 'Content-Type': type, ...headers });
const form = (body: string): Step => typed('application/x-www-form-urlencoded', body);
const xml = (text: string): string => text.replace(/[&<"]/g, (char) => `&#${char.charCodeAt(0)};`);
/** The value of a header, which has no control characters. */
const line = (token: string): string => encode(token).replace(/%(?=2F|3A|2B|3D)/g, '%');

/** A place for a token: the requests that have it there. */
interface Place {
  readonly place: string;
  /** Whether only the format of a token shows that it is secret. */
  readonly isOrdinary?: boolean;
  steps(token: string): readonly Step[];
}

const PLACES: readonly Place[] = [
  { place: 'JSON, secret name', steps: (token) => [json({ user: { accessToken: token } })] },
  {
    place: 'JSON, ordinary name',
    isOrdinary: true,
    steps: (token) => [json({ value: token, list: [token] })],
  },
  { place: 'JSON in a string', steps: (token) => [json({ data: JSON.stringify({ secret: token }) })] },
  {
    place: 'Authorization: Bearer',
    steps: (token) => [get('/echo', { Authorization: `Bearer ${line(token)}` })],
  },
  {
    place: 'Authorization: Basic',
    steps: (token) => [
      get('/echo', { Authorization: `Basic ${Buffer.from(`ann:${token}`).toString('base64')}` }),
      json({ note: `tried ${token} today` }),
    ],
  },
  { place: 'X-Api-Key', steps: (token) => [get('/echo', { 'X-Api-Key': line(token) })] },
  { place: 'cookie', steps: (token) => [get('/echo', { Cookie: `theme=dark; sid=${encode(token)}` })] },
  { place: 'query, secret name', steps: (token) => [get(`/echo?access_token=${encode(token)}`)] },
  { place: 'query, ordinary name', isOrdinary: true, steps: (token) => [get(`/echo?q=${encode(token)}`)] },
  { place: 'path', isOrdinary: true, steps: (token) => [get(`/echo/${encode(token)}`)] },
  {
    place: 'URL in a parameter',
    steps: (token) => [get(`/echo?next=${encode(`/in?token=${encode(token)}`)}`)],
  },
  {
    place: 'user and password in a URL',
    steps: (token) => [json({ url: `https://ann:${encode(token)}@db.test/` })],
  },
  { place: 'form', steps: (token) => [form(`user=ann&client_secret=${encode(token)}`)] },
  {
    place: 'multipart',
    steps: (token) => [
      typed(
        'multipart/form-data; boundary=cut',
        `--cut\r\nContent-Disposition: form-data; name="password"\r\n\r\n${token}\r\n--cut--\r\n`,
      ),
    ],
  },
  {
    place: 'GraphQL, argument',
    steps: (token) => [json({ query: `mutation { login(password: ${JSON.stringify(token)}) { id } }` })],
  },
  {
    place: 'GraphQL, variable',
    steps: (token) => [
      json({ query: 'mutation L($p: String!) { login(password: $p) { id } }', variables: { p: token } }),
    ],
  },
  {
    place: 'SOAP',
    steps: (token) => [
      typed(
        'text/xml',
        `<s:Envelope><s:Body><Login><Password>${xml(token)}</Password></Login></s:Body></s:Envelope>`,
      ),
    ],
  },
  {
    place: 'HTML field',
    steps: (token) => [typed('text/html', `<input type="hidden" name="_csrf" value="${xml(token)}">`)],
  },
  {
    place: 'compressed',
    steps: (token) => [
      typed('application/json', gzipSync(JSON.stringify({ token })), { 'Content-Encoding': 'gzip' }),
    ],
  },
  {
    place: 'log line',
    isOrdinary: true,
    steps: (token) => [typed('text/plain', `2026-01-01 sent ${token} to ann\n`)],
  },
  {
    place: 'ordinary name, secret later',
    steps: (token) => [
      json({ login: token, note: `it is ${token}` }),
      typed('text/plain', token),
      get('/echo', { Authorization: `Bearer ${encode(token)}` }),
      json({ token }),
    ],
  },
  {
    place: 'ordinary name, secret before',
    steps: (token) => [
      json({ token }),
      json({ echo: token, html: `<b>${xml(token)}</b>` }),
      form(`value=${encode(token)}`),
      get(`/echo?q=${encode(token)}`),
      typed('text/plain', `one ${token}, two`),
    ],
  },
];

describe('tokens in a recording', () => {
  it('are masked, whatever their kind and place', async () => {
    const planted: Array<{ readonly kind: string; readonly place: string; readonly token: string }> = [];
    const steps = KINDS.flatMap(({ kind, sample, format }) =>
      PLACES.filter(({ isOrdinary }) => !isOrdinary || format).flatMap(({ place, steps: stepsOf }) => {
        const token = made(sample, planted.length);
        planted.push({ kind, place, token });
        return stepsOf(token);
      }),
    );
    const text = await record(steps);
    const found = planted.filter(({ token }) => formsOf(token).some((one) => text.includes(one)));

    print(planted, found);
    expect(found.map(({ kind, place, token }) => `${kind}, ${place}: ${token}`)).to.deep.equal([]);
  });

  it('are of the kinds of all providers whose format is known', () => {
    const samples = KINDS.filter(({ format }) => format).map(({ sample }, index) => made(sample, index));

    for (const { provider, pattern } of TOKEN_FORMATS)
      expect(
        samples.some((sample) => new RegExp(`^${pattern}$`).test(sample)),
        provider,
      ).to.equal(true);
  });
});

/** Makes a token that is the same in each run. */
function made(sample: string, seed: number): string {
  let state = seed + 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const first = `${seed}`.padStart(4, '0');
  let isFirst = true;
  return sample.replace(/\{(\w+):(\d+)\}/g, (_all, name: string, length: string) => {
    const alphabet = ALPHABETS[name] ?? '';
    const text = Array.from({ length: Number(length) }, () => alphabet[random(alphabet.length)]).join('');
    const isUsed = isFirst && /^(?:hex|dig|an|up|w)$/.test(name) && text.length >= 8;
    if (isUsed) isFirst = false;
    return isUsed ? first + text.slice(first.length) : text;
  });
}

/** The forms in which a token may still be in the file. */
function formsOf(token: string): string[] {
  return [
    token,
    JSON.stringify(token).slice(1, -1),
    JSON.stringify(JSON.stringify(token).slice(1, -1)).slice(1, -1),
    encode(token),
    encode(encode(token)),
    xml(token),
    Buffer.from(token).toString('base64').replace(/=+$/, ''),
  ];
}

/** Records the requests to an application that sends each body back, and returns the file with decoded bodies. */
async function record(steps: readonly Step[]): Promise<string> {
  const file = join(temporaryFolder('tokens'), 'traffic.har');
  const app = express().set('env', 'test');
  app.use(recorder({ file, perSecond: Number.POSITIVE_INFINITY, keep: 1e6, maxBytes: 1e9 }));
  app.use((req, res) => {
    res.set('X-Echo', req.url).type(req.get('Content-Type') ?? 'text');
    if (req.get('Content-Encoding')) res.set('Content-Encoding', req.get('Content-Encoding') ?? '');
    req.pipe(res);
  });
  await serving(createServer(app), (port) => playSteps(steps, { port, patience: 5000 }));
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  const text = readFileSync(file, 'utf8');
  const { entries } = JSON.parse(text).log as { entries: har.Entry[] };
  expect(entries).to.have.length(steps.length);
  expect(readHar(file).leftOut).to.deep.equal([]);
  const decoded = entries.flatMap(({ request: { postData }, response: { content } }) =>
    [postData as { text?: string; encoding?: string } | undefined, content].map((body) =>
      body?.encoding === 'base64' ? plain(Buffer.from(body.text ?? '', 'base64')) : '',
    ),
  );
  return text + decoded.join('\n');
}

function plain(bytes: Buffer): string {
  return String(bytes[0] === 0x1f ? gunzipSync(bytes) : bytes);
}

type Planted = ReadonlyArray<{ readonly kind: string; readonly place: string }>;

function print(planted: Planted, found: Planted): void {
  const rows = [...new Set(planted.map(({ kind }) => kind))].map((kind) => {
    const of = (list: Planted): number => list.filter((one) => one.kind === kind).length;
    return `    ${kind.padEnd(36)} ${String(of(planted)).padStart(4)} planted ${String(of(found)).padStart(4)} in clear`;
  });
  console.log(
    `${rows.join('\n')}\n    ${'all'.padEnd(36)} ${String(planted.length).padStart(4)} planted ${String(found.length).padStart(4)} in clear`,
  );
}
