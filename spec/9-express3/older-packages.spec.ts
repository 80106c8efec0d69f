/** What older versions of packages do in Express 3: the conditions of requests, ranges, and the age of cookies. §9.3 */
import { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import nozomi3 from 'nozomi/3';
import request from 'supertest';
import { restoreHeaders } from '../../parity/implementations/removed';
import { muteDeprecations } from '../support/both';
import { loadExpress3 } from '../support/express3-original';

const express3 = loadExpress3() as typeof nozomi3;
const LICENSE = join(__dirname, '..', '..', 'LICENSE');

const RANGES = [
  'a-b',
  '',
  '--1',
  '5-2',
  'x-3,0-1',
  '0-1,a',
  '0-1,2-3',
  '1',
  ' 0-1',
  '-0',
  '-5',
  '0-0x5',
  '1e1-',
  '+1-3',
];
const SIZES = ['100', '5', '0', 'NaN'];
const TAGS = ['*', '"x", *', '*, "x"', '"5-x"', 'W/"5-x"', '"x",W/"5-x"', ''];
const DATES = ['Fri, 01 Jan 2100 00:00:00 GMT', 'Thu, 01 Jan 1970 00:00:00 GMT', 'never', ''];

function create(framework: typeof nozomi3): nozomi3.Application {
  const app = framework();
  app.get('/range/:size', (req, res) => void res.json({ range: req.range(Number(req.params.size)) ?? null }));
  app.get('/fresh/:tag', (req, res) => {
    if (req.params.tag !== 'none') res.set('ETag', req.params.tag ?? '');
    res.set('Last-Modified', 'Wed, 01 Jan 2020 00:00:00 GMT').send('hello');
  });
  app.get('/cookie/:age', (req, res) => void res.cookie('a', 'v', { maxAge: Number(req.params.age) }).end());
  app.get('/cleared', (_req, res) => void res.clearCookie('a', { maxAge: 5 }).end());
  app.get('/file', (_req, res) => {
    res.set({ 'Content-Foo': 'x', 'Content-Location': '/f', 'Content-Language': 'de' });
    res.sendfile(LICENSE);
  });
  app.get('/download', (_req, res) => res.download(LICENSE));
  return app;
}

async function headersOf(framework: typeof nozomi3, path: string, fields: Record<string, string>) {
  const response = await request(create(framework)).get(path).set(fields);
  const { date: _date, 'x-powered-by': _product, 'set-cookie': cookies, ...headers } = response.headers;
  const ages = [cookies ?? []].flat().map((one: string) => one.replace(/Expires=[^;]*/, ''));
  return { status: response.status, headers, ages, body: response.body };
}

/** Expects the response of Express 3. @param fields The headers of the request; empty ones are not sent. */
async function expectSame(path: string, fields: Record<string, string>): Promise<void> {
  const sent = Object.fromEntries(Object.entries(fields).filter(([, value]) => value));
  const removeHeaders = restoreHeaders();
  const expected = await headersOf(express3, path, sent).finally(removeHeaders);
  expect(await headersOf(nozomi3, path, sent), `${path} ${JSON.stringify(sent)}`).to.deep.equal(expected);
}

describe('older packages of Express 3', () => {
  muteDeprecations();

  it('req.range() reads what range-parser 1.0 reads', async () => {
    for (const size of SIZES)
      for (const range of [...RANGES.map((one) => `bytes=${one}`), 'bytes', 'items=0-1'])
        await expectSame(`/range/${size}`, { Range: range });
  });

  it('req.fresh compares as fresh 0.3', async () => {
    for (const tag of ['"5-x"', 'W/"5-x"', 'none'])
      for (const tags of TAGS)
        for (const date of DATES)
          await expectSame(`/fresh/${encodeURIComponent(tag)}`, {
            'If-None-Match': tags,
            'If-Modified-Since': date,
          });
    await expectSame('/fresh/*', { 'If-None-Match': '*', 'Cache-Control': 'no-cache' });
  });

  it('nozomi/3 sends 304 without res._headers, which Node.js 24 has removed; Express 3 does not', async () => {
    const fields = { 'If-None-Match': '"a"' };
    const statuses = [];
    for (const framework of [nozomi3, express3])
      statuses.push((await headersOf(framework, '/fresh/%22a%22', fields)).status);

    expect(statuses).to.deep.equal([304, '_headers' in ServerResponse.prototype ? 304 : 200]);
  });

  it('res.cookie() and res.clearCookie() do not round the age', async () => {
    for (const age of [1500, 5, 60_000, -1500, 0]) await expectSame(`/cookie/${age}`, {});
    await expectSame('/cleared', {});
  });

  it('a 304 response of a file has no Content-* but Content-Location', async () => {
    for (const path of ['/file', '/download'])
      await expectSame(path, { 'If-Modified-Since': DATES[0] as string });
  });
});
