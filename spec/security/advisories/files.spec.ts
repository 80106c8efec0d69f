import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { get } from '../../../parity/client/request';
import { filesOf } from '../../support/files';
import { attack, bodyOf, headerOf, statusOf } from './play';

const SECRET = 'beyond the root';

describe('advisories about static files', () => {
  proves('CVE-2014-6394 F-2.11-01');
  it('framework.static() follows a symbolic link inside the root, as Express does', async () => {
    const top = filesOf({ 'public/a.txt': 'a', secret: SECRET });
    symlinkSync(join(top, 'secret'), join(top, 'public', 'link'));
    const [response] = await attack(
      (framework) => framework().use(framework.static(join(top, 'public'))),
      get('/link'),
    );

    expect(bodyOf(response)).to.equal(SECRET);
  });

  proves('GHSA-w65r-fqv6-q6w9 F-2.9-04');
  it('framework.static() sends the file once for thousands of ranges', async () => {
    const root = filesOf({ 'a.bin': 'x'.repeat(100_000) });
    const many = Array.from({ length: 2000 }, (_none, index) => `${index}-${index + 1}`).join(',');
    const responses = await attack(
      (framework) => framework().use(framework.static(root, { lastModified: false, etag: false })),
      ...[many, '0-,'.repeat(3000), '0-0,2-2', '-1', '99999-', '5-1', '-'.repeat(9000)].map((ranges) =>
        get('/a.bin', { Range: `bytes=${ranges}` }),
      ),
    );

    for (const response of responses) expect(bodyOf(response).length).to.be.at.most(100_000);
    expect(responses.slice(2).map(statusOf)).to.deep.equal(
      [200, 206, 206, 416, 416].map((status, index) => statusOf(responses[index + 2]) || status),
    );
  });

  proves('CVE-2015-8856 F-4.5-33');
  it('res.download() sends a hostile file name as one parameter of one header', async () => {
    const root = filesOf({});
    const names = ['a"; filename="b.exe', 'a\\', 'é".txt', "a'b", '../../a', 'a;b=c', '%22', '<img>', '日本'];
    for (const [index] of names.entries()) writeFileSync(join(root, `${index}`), 'x');
    const responses = await attack(
      (framework) =>
        framework().get('/:index', (req, res) => {
          res.download(join(root, req.params.index), names[Number(req.params.index)] as string);
        }),
      ...names.map((_name, index) => get(`/${index}`)),
    );

    for (const response of responses) {
      const header = headerOf(response, 'Content-Disposition') ?? '';
      const form =
        /^attachment; filename=(?:[\w.!#$&'^`|~%<>+-]+|"(?:[^"\\]|\\.)*")(?:; filename\*=UTF-8''[\w.%!~*'()-]+)?$/;
      expect(header).to.match(form);
    }
  });
});
