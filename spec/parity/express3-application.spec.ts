import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { playApplication } from '../../parity/application/application';
import { parseRequests } from '../../parity/application/traffic';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';

const PROGRAM = `var express = require('express');
var app = express();
app.configure(function () { app.use(express.bodyParser()); });
app.get('/user/:id?', function (req, res) { res.send(200, { id: req.param('id'), host: req.host }); });
app.post('/', function (req, res) { res.json(201, req.body); });
app.listen(3000);
`;

const ASKED = `GET /user/12

POST /
Content-Type: application/json

{"a":1}
###
GET /none
`;

describe('nozomi-parity, an application with Express 3', () => {
  it('is compared with nozomi/3', async () => {
    const folder = temporaryFolder('express3');
    try {
      mkdirSync(join(folder, 'node_modules'));
      const express = dirname(require.resolve('express3/package.json'));
      symlinkSync(express, join(folder, 'node_modules', 'express'), 'junction');
      const file = join(folder, 'app.js');
      writeFileSync(file, PROGRAM);

      const report = await playApplication({
        file,
        traffic: { name: 'asked', requests: parseRequests(ASKED, 'asked'), leftOut: [], secrets: new Map() },
      });

      expect(report.observers.map(({ description }) => description.replace(/ 5\..*/, ''))).to.deep.equal([
        'express 3.21.2',
        'nozomi/3',
      ]);
      expect([report.passed, report.failed]).to.deep.equal([4, 0]);
    } finally {
      removeFolder(folder);
    }
  });
});
