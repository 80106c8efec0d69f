import { join } from 'node:path';
import { expect } from 'chai';
import framework from 'nozomi';
import request from 'supertest';

const root = join(__dirname, '../../fixtures/files/shelf');

describe('res.sendFile and res.download (§2.9)', () => {
  for (const [member, clause] of [
    ['sendFile', 'F-2.9-07'],
    ['download', 'F-2.9-21'],
  ] as const)
    it(`res.${member}: the option headers sets nothing if the file is missing [${clause}]`, async () => {
      const app = framework().set('env', 'test');
      const options = { root, headers: { 'X-Own': 'yes' } };
      app.get('/sendFile', (_req, res) => res.sendFile('missing.txt', options));
      app.get('/download', (_req, res) => res.download('missing.txt', 'saved.txt', options));

      const { status, headers } = await request(app).get(`/${member}`);

      expect(status).to.equal(404);
      expect(headers).not.to.have.any.keys('x-own', 'content-disposition');
    });

  it('filename replaces a Content-Disposition of the option headers, in any letter case [F-2.9-22]', async () => {
    const headers = { 'Content-Disposition': 'inline', 'CONTENT-disposition': 'inline', 'X-Own': 'yes' };
    const app = framework().get('/', (_req, res) =>
      res.download('letters.txt', 'own.txt', { root, headers }),
    );

    const res = await request(app).get('/');

    expect(res.headers).to.include({ 'content-disposition': 'attachment; filename=own.txt', 'x-own': 'yes' });
  });
});
