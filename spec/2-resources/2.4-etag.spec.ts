import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';
import { filesOf } from '../support/files';

describe('the setting etag (§2.4)', () => {
  const values: ReadonlyArray<[id: string, value: unknown, etag: string | undefined]> = [
    ['F-2.4-03', true, 'W/"5-qvTGHdzF6KLavt4PO0gs2a6pQ00"'],
    ['F-2.4-06', 'weak', 'W/"5-qvTGHdzF6KLavt4PO0gs2a6pQ00"'],
    ['F-2.4-05', 'strong', '"5-qvTGHdzF6KLavt4PO0gs2a6pQ00"'],
    ['F-2.4-04', false, undefined],
    ['F-2.4-07', () => '"custom"', '"custom"'],
    ['F-2.4-07', () => undefined, undefined],
  ];

  for (const [id, value, etag] of values) {
    it(`with the value ${value}, responses have ${etag ? `the ETag ${etag}` : 'no ETag'} [${id}]`, async () => {
      const app = framework().set('etag', value);
      app.get('/', (_req, res) => res.send('hello'));

      expect((await request(app).get('/')).headers.etag).to.equal(etag);
    });
  }

  it('by default gives responses a weak ETag [F-2.4-03]', async () => {
    const app = framework();
    app.get('/', (_req, res) => res.send('hello'));

    expect((await request(app).get('/')).headers.etag).to.equal('W/"5-qvTGHdzF6KLavt4PO0gs2a6pQ00"');
  });

  it('applies to dynamic responses only: static files keep the ETag of the file [F-2.4-01 F-2.4-02]', async () => {
    const app = framework().set('etag', () => '"custom"');
    app.use(framework.static(filesOf({ 'a.txt': 'hello' })));
    app.use((_req, res) => res.send('hello'));

    expect((await request(app).get('/a.txt')).headers.etag).to.match(/^W\/"5-[0-9a-f]+"$/);
    expect((await request(app).get('/dynamic')).headers.etag).to.equal('"custom"');
  });

  it('a function as value receives the body as bytes, and the encoding if the body was a string [F-2.4-08 F-2.4-09]', async () => {
    const app = framework();
    const seen: unknown[] = [];
    app.set('etag', (body: unknown, encoding: unknown) => {
      seen.push([Buffer.isBuffer(body), String(body), encoding]);
      return '"seen"';
    });
    app.get('/text', (_req, res) => res.send('héllo'));
    app.get('/bytes', (_req, res) => res.send(Buffer.from('bytes')));
    app.get('/json', (_req, res) => res.json({ a: 1 }));

    for (const path of ['/text', '/bytes', '/json']) await request(app).get(path).expect('ETag', '"seen"');

    expect(seen).to.deep.equal([
      [true, 'héllo', 'utf8'],
      [true, 'bytes', undefined],
      [true, '{"a":1}', 'utf8'],
    ]);
  });

  it('does not replace an ETag that the handler has set [F-2.4-07]', async () => {
    const app = framework().set('etag', () => {
      throw new Error('not asked');
    });
    app.get('/', (_req, res) => res.set('ETag', '"own"').send('hello'));

    expect((await request(app).get('/')).headers.etag).to.equal('"own"');
  });
});
