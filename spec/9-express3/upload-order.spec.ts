import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import express3 from 'nozomi/3';
import request from 'supertest';
import { muteDeprecations } from '../support/both';

describe('the files of one field', () => {
  muteDeprecations();
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'nozomi-uploads-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('are listed in the order of the form, whichever is written first', async () => {
    const app = express3();
    app.use(express3.multipart({ uploadDir: folder }));
    app.post('/', (req, res) => res.json([req.files.file].flat().map(({ name }: { name: string }) => name)));

    const sent = request(app).post('/');
    for (const [index, size] of [500_000, 1, 100_000, 0].entries())
      sent.attach('file', Buffer.alloc(size), `${index}.txt`);
    expect((await sent.expect(200)).body).to.deep.equal(['0.txt', '1.txt', '2.txt', '3.txt']);
  });
});
