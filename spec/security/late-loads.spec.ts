/** Nothing is loaded after the package itself: neither because a server listens nor because of a request. */
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { filesOf } from '../support/files';

const ROOT = join(__dirname, '..', '..');

/** Sends requests to an application after the folder of the package is gone. Prints the status codes. */
const SITE = `
const framework = require(process.argv[2]);
const series = process.argv[3];
const http = require('node:http');
const fs = require('node:fs');
const app = framework();
app.set('trust proxy', 'loopback');
app.set('query parser', 'extended');
if (series === '3') app.use(framework.cookieParser('secret'));
else app.use((req, res, next) => { req.secret = 'secret'; next(); });
app.use('/files', framework.static(__dirname));
app.use(framework.json());
app.use(framework.urlencoded({ extended: true }));
if (framework.text) app.use(framework.text());
app.get('/cookie', (req, res) => { res.cookie('a', 'b').cookie('c', 'd', { signed: true }).send('x'); });
app.get('/accepts', (req, res) => { res.send([req.accepts('html'), req.acceptsCharsets && req.acceptsCharsets('utf-8')]); });
app.get('/is', (req, res) => { res.send(String(req.is('json'))); });
app.get('/range', (req, res) => { res.send(JSON.stringify((req.range ? req.range(10) : 0))); });
app.get('/vary', (req, res) => { if (res.vary) res.vary('A'); res.send('x'); });
app.get('/attachment', (req, res) => { res.attachment('ä.txt'); res.send('x'); });
app.get('/redirect', (req, res) => { res.redirect('/é'); });
app.get('/ip', (req, res) => { res.send([req.ip, req.ips]); });
app.get('/type', (req, res) => { res.type('png').send(Buffer.from('x')); });
app.get('/format', (req, res) => { res.format({ html: () => res.send('x') }); });
app.get('/status', (req, res) => { (res.sendStatus || res.send).call(res, 202); });
app.get('/json', (req, res) => { res.json(req.query); });
app.get('/send', (req, res) => { (res.sendFile || res.sendfile).call(res, __filename); });
app.get('/download', (req, res) => { res.download(__filename); });
app.get('/error', () => { throw new Error('x'); });
app.post('/body', (req, res) => { res.json(req.body); });
console.error = () => {};

const form = 'application/x-www-form-urlencoded';
const REQUESTS = [
  ...['/none', '/a%20b', '/cookie', '/accepts', '/is', '/range', '/vary', '/attachment', '/redirect', '/ip', '/type'],
  ...['/format', '/status', '/json?a[b]=1', '/send', '/download', '/error', '/files/site.js', '/files/none', '/files/'],
].map((path) => ({ path }));
const BODIES = [['application/json', '{"a":1}'], ['application/json', '{'], [form, 'a[b]=1'], [form, 'a=%'], ['text/plain', 'x']]
  .map(([type, body]) => ({ path: '/body', method: 'POST', body, headers: { 'Content-Type': type } }));

const server = http.createServer(app).listen(0, '127.0.0.1', async () => {
  const codes = [];
  const all = [...REQUESTS, ...BODIES];
  // With its first body, body-parser loads the encodings of iconv-lite.
  for (const { body, ...options } of [BODIES[1], 'remove', ...all]) {
    if (!options.path) {
      if (process.argv[4]) fs.unlinkSync(process.argv[4]);
      continue;
    }
    codes.push(await new Promise((resolve) => {
      const headers = { 'X-Forwarded-For': '10.0.0.1', Range: 'bytes=0-1', ...options.headers };
      http.request({ port: server.address().port, host: '127.0.0.1', agent: false, ...options, headers }, (res) => {
        res.resume().on('end', () => resolve(options.path + ' ' + res.statusCode));
      }).on('error', (err) => resolve(options.path + ' ' + err.code)).end(body);
    }));
  }
  console.log(JSON.stringify(codes));
  process.exit();
});
`;

/** Runs a program with Node.js. @returns What it prints, as JSON restores it. */
function run(args: readonly string[], cwd = ROOT): unknown {
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  expect(stderr).to.equal('');
  return JSON.parse(stdout);
}

function statusCodes(implementation: string, series: string, isRemoved: boolean): unknown {
  const folder = filesOf({ 'site.js': SITE, 'node_modules/none': '' });
  for (const name of new Set(['nozomi', implementation])) {
    const target = name === 'nozomi' ? ROOT : join(ROOT, 'node_modules', name);
    if (!name.includes('/')) symlinkSync(target, join(folder, 'node_modules', name), 'junction');
  }
  const options = ['--no-warnings', '--preserve-symlinks', '--preserve-symlinks-main'];
  const removed = isRemoved ? [join(folder, 'node_modules', 'nozomi')] : [];
  return run(
    [...(isRemoved ? options : []), join(folder, 'site.js'), implementation, series, ...removed],
    folder,
  );
}

describe('modules that requests need', () => {
  for (const [implementation, reference, series] of [
    ['nozomi', 'express', '5'],
    ['nozomi/4', 'express4', '4'],
    ['nozomi/3', 'express3', '3'],
  ] as const) {
    it(`${implementation} responds as ${reference} does after its folder was removed`, () => {
      const actual = statusCodes(implementation, series, true);

      expect(actual).to.deep.equal(statusCodes(reference, series, false));
    });
  }
});
