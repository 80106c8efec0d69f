import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { playApplication } from '../../parity/application/application';
import { parseRequests } from '../../parity/application/traffic';
import { implementationNamed } from '../../parity/implementations/names';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';

const PROGRAM = `var express = require('express');
var app = express();
app.use(express.urlencoded({ extended: true }));
app.get('/user/:id?', function (req, res) { res.send(200, { id: req.param('id'), query: req.query }); });
app.get('/file/*', function (req, res) { res.json(req.params); });
app.post('/', function (req, res) { res.json(201, req.body); });
app.get('/back', function (req, res) { res.redirect('back'); });
app.listen(3000);
`;

const REQUESTS = `GET /user/12?a[b]=1

GET /file/a/b

POST /
Content-Type: application/x-www-form-urlencoded

user[name]=Ada
###
GET /back

OPTIONS /user

GET /none
`;

const traffic = { name: 'requests', requests: parseRequests(REQUESTS, 'requests'), leftOut: [] };

/** Calls `run` with the file of an application that has Express 4. */
async function withApplication(run: (file: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder('express4');
  try {
    mkdirSync(join(folder, 'node_modules'));
    const express = dirname(require.resolve('express4/package.json'));
    symlinkSync(express, join(folder, 'node_modules', 'express'), 'junction');
    const file = join(folder, 'app.js');
    writeFileSync(file, PROGRAM);
    await run(file);
  } finally {
    removeFolder(folder);
  }
}

describe('parity: an application that has Express 4', () => {
  it('is played to the Express 4 that it has, and to nozomi/4', async () => {
    await withApplication(async (file) => {
      const report = await playApplication({ file, traffic });

      expect(report.observers.map(({ description }) => description.replace(/ 5\..*/, ''))).to.deep.equal([
        'express 4.22.3',
        'nozomi/4',
      ]);
      expect([report.passed, report.failed]).to.deep.equal([7, 0]);
    });
  });

  it('shows what the move to Express 5 would change', async () => {
    await withApplication(async (file) => {
      const implementations = [implementationNamed('express@4'), implementationNamed('nozomi/5')] as const;
      const rejected = await playApplication({ file, traffic, implementations }).catch((error) => error);

      // The path of the first route is refused.
      expect(JSON.stringify(rejected)).to.include('/user/:id?');
    });
  });
});
