import { join } from 'node:path';
import { expect } from 'chai';
import type { Response } from 'express';
import framework from 'nozomi';
import request from 'supertest';

const ROOT = join(__dirname, '../../fixtures/files/shelf');

type Options = Readonly<Record<string, unknown>>;
type Clause = readonly [sent: string, saved: string];

/** Both members have the same options. Each clause about an option has one id for each member. */
const MEMBERS = ['sendFile', 'download'] as const;
const SENDS = {
  sendFile: (res: Response, path: string, options: Options) => res.sendFile(path, { root: ROOT, ...options }),
  download: (res: Response, path: string, options: Options) =>
    res.download(path, 'saved.txt', { root: ROOT, ...options }),
};

const CACHE: ReadonlyArray<[clause: Clause, title: string, options: Options, wanted: string | undefined]> = [
  [['F-2.9-01 F-8-04', 'F-2.9-15 F-8-04'], 'maxAge is 0 by default', {}, 'public, max-age=0'],
  [['F-2.9-02', 'F-2.9-16'], 'maxAge is in milliseconds', { maxAge: 90_999 }, 'public, max-age=90'],
  [
    ['F-2.9-02', 'F-2.9-16'],
    'maxAge is limited to a year',
    { maxAge: Number.POSITIVE_INFINITY },
    'public, max-age=31536000',
  ],
  [['F-2.9-03', 'F-2.9-17'], 'maxAge accepts a string', { maxAge: '2 days' }, 'public, max-age=172800'],
  [
    ['F-2.9-13', 'F-2.9-28'],
    'cacheControl false omits the header',
    { cacheControl: false, maxAge: 1000 },
    undefined,
  ],
  [
    ['F-2.9-14', 'F-2.9-29'],
    'immutable adds its directive',
    { immutable: true, maxAge: '1h' },
    'public, max-age=3600, immutable',
  ],
];

const DOTFILES: ReadonlyArray<[clause: Clause, options: Options, status: number]> = [
  [['F-2.9-08', 'F-2.9-23'], {}, 404],
  [['F-2.9-08', 'F-2.9-23'], { dotfiles: 'ignore' }, 404],
  [['F-2.9-09', 'F-2.9-24'], { dotfiles: 'allow' }, 200],
  [['F-2.9-10', 'F-2.9-25'], { dotfiles: 'deny' }, 403],
];

for (const [which, member] of MEMBERS.entries()) {
  const ask = (path: string, options: Options, headers: Readonly<Record<string, string>> = {}) => {
    const app = framework();
    app.set('env', 'test').get('/', (_req, res) => SENDS[member](res, path, options));
    return request(app).get('/').set(headers);
  };

  describe(`res.${member}(path, options) (§2.9)`, () => {
    for (const [clause, title, options, wanted] of CACHE) {
      it(`${title}: Cache-Control is ${wanted} [${clause[which]}]`, async () => {
        expect((await ask('letters.txt', options)).headers['cache-control']).to.equal(wanted);
      });
    }

    for (const [clause, options, status] of DOTFILES) {
      for (const path of ['.hidden', '.private/note.txt']) {
        it(`responds ${status} to ${path} with ${JSON.stringify(options)} [${clause[which]}]`, async () => {
          expect((await ask(path, options)).status).to.equal(status);
        });
      }
    }

    it(`root is the directory that relative paths start from [${['F-2.9-04', 'F-2.9-18'][which]}]`, async () => {
      const [file, deep] = [await ask('letters.txt', {}), await ask('inner/deep.txt', {})];

      expect([file.status, deep.text]).to.deep.equal([200, 'deep\n']);
    });

    it(`lastModified sends the date of the file, or no date if false [${['F-2.9-05 F-2.9-06', 'F-2.9-19 F-2.9-20'][which]}]`, async () => {
      const [dated, undated] = [
        await ask('letters.txt', {}),
        await ask('letters.txt', { lastModified: false }),
      ];

      expect(dated.headers['last-modified']).to.match(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/);
      expect(undated.headers).not.to.have.property('last-modified');
    });

    it(`the option headers sets headers of the file, in place of default ones [${['F-2.9-07', 'F-2.9-21'][which]}]`, async () => {
      const headers = { 'X-Own': 'yes', 'Content-Type': 'text/x-own', 'Cache-Control': 'private' };

      const res = await ask('letters.txt', { headers });

      expect(res.headers).to.include({
        'x-own': 'yes',
        'content-type': 'text/x-own',
        'cache-control': 'private',
      });
    });

    it(`the option headers sets nothing if the file is missing [${['F-2.9-07', 'F-2.9-21'][which]}]`, async () => {
      const res = await ask('missing.txt', { headers: { 'X-Own': 'yes' } });

      expect(res.status).to.equal(404);
      expect(res.headers).not.to.have.any.keys('x-own', 'content-disposition');
    });

    it(`responds 206 to a range by default [${['F-2.9-11', 'F-2.9-26'][which]}]`, async () => {
      const res = await ask('letters.txt', {}, { Range: 'bytes=2-3' });

      expect([res.status, res.text, res.headers['accept-ranges']]).to.deep.equal([206, 'cd', 'bytes']);
    });

    it(`ignores ranges and omits Accept-Ranges if acceptRanges is false [${['F-2.9-12', 'F-2.9-27'][which]}]`, async () => {
      const res = await ask('letters.txt', { acceptRanges: false }, { Range: 'bytes=2-3' });

      expect(res.status).to.equal(200);
      expect(res.headers).not.to.have.property('accept-ranges');
    });
  });
}

describe('res.download(path, filename, options) (§2.9)', () => {
  it('filename replaces a Content-Disposition of the option headers, in any letter case [F-2.9-22]', async () => {
    const app = framework();
    const headers = { 'Content-Disposition': 'inline', 'CONTENT-disposition': 'inline', 'X-Own': 'yes' };
    app.get('/', (_req, res) => res.download('letters.txt', 'own.txt', { root: ROOT, headers }));

    const res = await request(app).get('/');

    expect(res.headers).to.include({ 'content-disposition': 'attachment; filename=own.txt', 'x-own': 'yes' });
  });
});
