import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { playApplication } from '../../parity/application/application';
import { parseRequests, type Traffic } from '../../parity/application/traffic';
import { implementationNamed } from '../../parity/implementations/names';
import { formatReport } from '../../parity/report/terminal';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';

const PROGRAM = `var express = require('express');
var app = express();
app.use(express.urlencoded({ extended: true }));
app.get('/user/:id?', function (req, res) { res.send(200, { id: req.param('id'), query: req.query }); });
app.get('/file/*', function (req, res) { res.json(req.params); });
app.get('/hidden', function (req, res) { res.set('X-Powered-By', 'hidden').end(); });
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
Accept: text/html

OPTIONS /user

GET /none

GET /hidden
`;

const traffic = trafficOf(REQUESTS);

function trafficOf(text: string): Traffic {
  return { name: 'requests', requests: parseRequests(text, 'requests'), leftOut: [], secrets: new Map() };
}

/** Calls `run` with the path of an application that has Express 4 installed. */
async function withApplication(
  run: (file: string) => Promise<void>,
  program: string = PROGRAM,
): Promise<void> {
  const folder = temporaryFolder('express4');
  try {
    mkdirSync(join(folder, 'node_modules'));
    const express = dirname(require.resolve('express4/package.json'));
    symlinkSync(express, join(folder, 'node_modules', 'express'), 'junction');
    const file = join(folder, 'app.js');
    writeFileSync(file, program);
    await run(file);
  } finally {
    removeFolder(folder);
  }
}

describe('nozomi-parity, an application with Express 4', () => {
  it('is compared with nozomi/4', async () => {
    await withApplication(async (file) => {
      const report = await playApplication({ file, traffic });

      expect(report.observers.map(({ description }) => description.replace(/ 5\..*/, ''))).to.deep.equal([
        'express 4.22.3',
        'nozomi/4',
      ]);
      expect([report.passed, report.failed]).to.deep.equal([8, 0]);
    });
  });

  it('has libraries that find in nozomi/4 the layers, the router and the version of Express 4', async () => {
    const program = `var Layer = require('express/lib/router/layer');
var handle = Layer.prototype.handle_request;
Layer.prototype.handle_request = function (req, res, next) { req.layers = (req.layers || 0) + 1; handle.call(this, req, res, next); };
var express = require('express');
var app = express();
app.get('/', function (req, res) {
  res.json([req.layers, require('express/package.json').version, require('express/lib/router') === express.Router]);
});
app.get('/where', function (req, res) { res.send(/dist.express4/.test(require.resolve('express')) ? 'nozomi/4' : 'Express'); });
module.exports = app;
`;
    await withApplication(async (file) => {
      const report = await playApplication({ file, traffic: trafficOf('GET /\n\nGET /where\n'), runs: 1 });
      const [layers, where] = report.verdicts;

      expect(layers?.state).to.equal('equal');
      expect(layers?.seen[1].exchanges[0]?.response.body?.toString()).to.equal('[4,"4.22.3",true]');
      expect(where?.differences.find(({ place }) => place === '1.body')).to.deep.include({
        expected: 'Express',
        actual: 'nozomi/4',
      });
    }, program);
  });

  it('compared with Express 5 gets a report of the changes, with the line that keeps the old behaviour', async () => {
    const program = PROGRAM.replace('/user/:id?', '/user');
    await withApplication(async (file) => {
      const implementations = [implementationNamed('express@4'), implementationNamed('nozomi@5')] as const;
      const started = { file, traffic: trafficOf('GET /user?a[b]=1\n'), implementations, runs: 1 };
      const text = formatReport(await playApplication(started));

      expect(text).to.match(/Express 5: `\*` needs a name.*\[.*E4-B11.*\]\n +to keep it: app\.get\(\/\^/);
    }, program);
    await withApplication(
      async (file) => {
        const implementations = [implementationNamed('express@4'), implementationNamed('nozomi/5')] as const;
        const requests = `GET /user?id=1\n\n${REQUESTS}`;
        const started = { file, traffic: trafficOf(requests), implementations, runs: 1 };
        const text = formatReport(await playApplication(started));

        for (const clause of ['E4-E4', 'E4-F7', 'E4-C3', 'E4-F11']) expect(text).to.include(clause);
        expect(text).to.include('to keep it: req.params.id ?? req.body?.id ?? req.query.id\n');
      },
      program.replace("'/file/*'", "'/file'"),
    );
  });

  it('compared with nozomi/4 gets a report without changes', async () => {
    await withApplication(async (file) => {
      expect((await playApplication({ file, traffic, runs: 1 })).isMove).to.equal(false);
    });
  });
});

describe('nozomi-parity, an application that has switched to nozomi/4', () => {
  const program = `var express = require('nozomi/4');
var app = express();
app.get('/', function (req, res) { res.send(200, req.query); });
module.exports = app;
`;
  const step5 = [implementationNamed('express@4'), implementationNamed('nozomi@5')] as const;
  const switched = (run: (file: string) => Promise<void>, text = program): Promise<void> =>
    withApplication(async (file) => {
      const root = join(__dirname, '..', '..');
      symlinkSync(root, join(dirname(file), 'node_modules', 'nozomi'), 'junction');
      await run(file);
    }, text);
  const requests = { traffic: trafficOf('GET /?a[b]=1\n'), runs: 1 };

  it('gets the report of the changes in Express 5', async () => {
    await switched(async (file) => {
      const report = await playApplication({ file, ...requests, implementations: step5 });

      expect(report.failed).to.equal(2);
      expect(formatReport(report)).to.match(/Express 5: .*\[.*E4-/);
    });
  });

  it('is compared with its own Express 4 without --baseline', async () => {
    await switched(async (file) => {
      const report = await playApplication({ file, ...requests });

      expect([report.passed, report.failed]).to.deep.equal([2, 0]);
      expect(report.verdicts[0]?.seen[0].exchanges[0]?.response.headers).to.deep.include([
        'X-Powered-By',
        'Express',
      ]);
    });
  });

  it('can be compared with a wrapper of its entry point', async () => {
    await switched(async (file) => {
      const wrapper = join(dirname(file), 'wrapper');
      mkdirSync(wrapper);
      writeFileSync(join(wrapper, 'package.json'), '{ "name": "wrapper", "version": "4.0.0" }');
      writeFileSync(
        join(wrapper, 'index.js'),
        "const make = require('nozomi/4'); module.exports = () => make().disable('x-powered-by');",
      );
      const implementations = [implementationNamed('nozomi@4'), implementationNamed(wrapper)] as const;
      const report = await playApplication({ file, ...requests, implementations });

      expect(formatReport(report)).to.match(/headers\.x-powered-by: [^\n]*\n[^\n]*Express\n/);
    });
  });

  it('is refused if the baseline does not replace its entry point', async () => {
    await switched(async (file) => {
      const started = {
        file,
        ...requests,
        implementations: [implementationNamed('express@5.3.0'), step5[1]] as const,
      };
      const error = await playApplication(started).catch((one: Error) => one);

      expect(error).to.be.instanceOf(TypeError);
      expect((error as Error).message).to.match(/^app\.js loads nozomi\/4, .*: pass --baseline express@4$/);
    });
  });
});
