/** Which requests a recording keeps: one of each kind, and all that later requests depend on. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import type * as har from 'har-format';
import express from 'nozomi';
import { playSteps } from '../../parity/client/exchange';
import type { Exchange } from '../../parity/client/messages';
import { del, get, post, put, type RequestSource, request, type Step } from '../../parity/client/request';
import { Recorder, type RecorderOptions } from '../../parity/recorder/recorder';
import { temporaryFolder } from '../../parity/temporary-folder';
import { serving } from '../support/serve';

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('nozomi-parity record, what it keeps', () => {
  it('is each request that changes state', async () => {
    const { kept } = await recorded([
      post('/notes', { text: 'a' }),
      post('/notes', { text: 'b' }),
      put('/notes/1', { text: 'c' }),
      put('/notes/2', { text: 'd' }),
      del('/notes/1'),
      del('/notes/2'),
      request('LOCK', '/notes/1'),
      request('LOCK', '/notes/2'),
    ]);

    expect(kept).to.have.length(8);
  });

  // Requests that are one kind are equal; of each kind, the recording has the first one.
  const kinds: ReadonlyArray<readonly [title: string, steps: readonly Step[], expected: readonly number[]]> =
    [
      ['by id', [get('/items/1'), get('/items/2'), get('/items/none')], [0, 2]],
      [
        'by path for a route with a wildcard',
        ['/', '/about', '/prices', '/about'].map((path) => get(`/pages${path}`)),
        [0, 1, 2],
      ],
      ['by path for a route with a pattern', ['/p-a', '/p-b'].map((path) => get(path)), [0, 1]],
      [
        'by the names in the query',
        ['', '?a=1', '?a=2', '?b=1', '?a=1&b=2'].map((query) => get(`/items/1${query}`)),
        [0, 1, 3, 4],
      ],
      [
        'by headers of conditions, ranges and proxies',
        [
          get('/items/1'),
          get('/items/1', { Range: 'bytes=0-1' }),
          get('/items/1', { Range: 'bytes=5-' }),
          get('/items/1', { 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
          get('/items/1', { 'X-Forwarded-For': '192.0.2.1' }),
          get('/items/1', { 'X-Forwarded-Proto': 'http' }),
          get('/items/1', { 'X-Forwarded-Proto': 'https' }),
          get('/items/1', { Authorization: 'Bearer a' }),
          get('/items/1', { 'User-Agent': 'other' }),
        ],
        [0, 1, 3, 4, 5, 6, 7],
      ],
      [
        'by the operation in the query',
        ['list', 'list', 'count'].map((name) => get(`/rpc?action=${name}`)),
        [0, 2],
      ],
      [
        'by the query of GraphQL',
        ['{ orders { id } }', '{ orders { id } }', '{ users { id } }', 'mutation { add }'].map((query) =>
          get(`/graphql?query=${encodeURIComponent(query)}`),
        ),
        [0, 2, 3],
      ],
      [
        'by the operation of GraphQL in a body, and each mutation',
        ['query A { a }', 'query A { a }', 'query B { a }', '{ c }', 'mutation { d }', 'mutation { d }'].map(
          (query) => post('/graphql', { query }),
        ),
        [0, 2, 3, 4, 5],
      ],
      [
        'each call of RPC',
        ['a', 'a', 'b'].map((method) => post('/rpc', { jsonrpc: '2.0', method })),
        [0, 1, 2],
      ],
    ];
  for (const [title, steps, expected] of kinds)
    it(`is one of each kind: ${title}`, async () => {
      const { all, kept } = await recorded(steps);

      expect(kept.map((one) => all.indexOf(one))).to.deep.equal(expected);
    });

  /** Two forms are loaded, and the token of the second one is sent. */
  const uses: ReadonlyArray<
    readonly [title: string, path: string, use: (seen: readonly Exchange[]) => ReturnType<typeof get>]
  > = [
    [
      'a token in a page',
      '/form',
      (seen) => post('/save', `_csrf=${/value="(\w+)"/.exec(bodyOf(seen))?.[1]}`),
    ],
    ['a token in JSON', '/token', (seen) => post('/save', JSON.parse(bodyOf(seen)), JSON_TYPE)],
    ['a token as text', '/text', (seen) => get('/items/1', { Authorization: `Bearer ${bodyOf(seen)}` })],
    ['an id in a path', '/token', (seen) => get(`/items/${JSON.parse(bodyOf(seen)).token}`)],
    ['a short id', '/row', (seen) => del(`/notes/${JSON.parse(bodyOf(seen)).id}`)],
    ['a Location', '/moved', (seen) => get(seen.at(-1)?.header('location') ?? '')],
    ['an ETag', '/token', (seen) => get('/items/1', { 'If-None-Match': seen.at(-1)?.header('etag') ?? '' })],
    [
      'a cookie',
      '/cookie',
      (seen) => post('/save', '', { Cookie: seen.at(-1)?.header('set-cookie')?.split(';')[0] ?? '' }),
    ],
  ];
  for (const [title, path, use] of uses)
    it(`is each request whose response a later one uses: ${title}`, async () => {
      const { all, kept } = await recorded([get(path), get(path), get(path), use]);

      expect(kept.map((one) => all.indexOf(one))).to.deep.equal([0, 2, 3]);
    });

  it('is each request that such a request depends on', async () => {
    const start = (seen: readonly Exchange[]): ReturnType<typeof get> =>
      get('/form', { 'X-Token': JSON.parse(bodyOf(seen)).token });
    const { all, kept, summary } = await recorded([
      get('/token'),
      get('/form', { 'X-Token': 'none' }),
      get('/token'),
      start,
      (seen) => post('/save', `_csrf=${/value="(\w+)"/.exec(bodyOf(seen))?.[1]}`),
    ]);

    expect(kept.map((one) => all.indexOf(one))).to.deep.equal([0, 1, 2, 3, 4]);
    expect(summary.join()).to.not.include('not recorded');
  });

  it('is what the memory has room for; the summary says how much was too much', async () => {
    const { summary } = await recorded(
      Array.from({ length: 20 }, () => get('/token')),
      { maxMemory: 40_000 },
    );

    expect(summary.at(-1)).to.match(
      /requests similar to recorded ones \(19\), similar requests over the memory limit \(1\d\)/,
    );
  });
});

function bodyOf(seen: readonly Exchange[]): string {
  return String(seen.at(-1)?.response.body);
}

/** Plays requests to an application. `all` has the targets in order, with numbers; `kept` those in the recording. */
async function recorded(
  steps: readonly Step[],
  options: Partial<RecorderOptions> = {},
): Promise<{ all: string[]; kept: string[]; summary: string[] }> {
  const file = join(temporaryFolder('kinds'), 'traffic.har');
  const recording = new Recorder({ file, perSecond: Number.POSITIVE_INFINITY, scrub: false, ...options });
  const all: string[] = [];
  const app = express();
  app.use((req, res, next) => {
    all.push(String(all.length));
    // Not a header that the recorder reads.
    req.rawHeaders.push('Number', String(all.length - 1));
    recording.observe(req, res);
    next();
  });
  app.use(express.json(), express.urlencoded(), express.text());
  let rows = 500;
  app.get(
    '/items/:id',
    (req, res) => void (req.params.id === 'none' ? res.sendStatus(404) : res.send('an item')),
  );
  app.get('/pages{/*path}', (_req, res) => void res.send('<h1>page</h1>'));
  app.get(/^\/p-/, (_req, res) => void res.send('<h1>page</h1>'));
  app.get(
    '/form',
    (_req, res) => void res.send(`<input name="_csrf" value="${randomBytes(16).toString('hex')}">`),
  );
  app.get('/token', (_req, res) => void res.json({ token: randomUUID() }));
  app.get('/row', (_req, res) => void res.json({ id: rows++ }));
  app.get('/text', (_req, res) => void res.type('text').send(randomUUID()));
  app.get('/moved', (_req, res) => void res.redirect(`/items/${rows++}`));
  app.get('/cookie', (_req, res) => void res.cookie('sid', randomUUID()).send('hello'));
  app.use((_req, res) => void res.json({ ok: true }));
  await serving(createServer(app), (port) => playSteps(steps as RequestSource[], { port, patience: 5000 }));
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  recording.close();
  const { entries } = JSON.parse(readFileSync(file, 'utf8')).log as { entries: har.Entry[] };
  const numbers = entries.map(
    ({ request: { headers } }) => headers.find(({ name }) => name === 'Number')?.value ?? '',
  );
  return { all, kept: numbers.sort((a, b) => Number(a) - Number(b)), summary: recording.summary() };
}
