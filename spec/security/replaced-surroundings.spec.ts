/** Clocks, timers, `fs` and `http` that tests and agents replace: responses are those of Express. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';

const ROOT = join(__dirname, '..', '..');

/** Runs a program with the framework as `framework`, and `head(app, path)`, which resolves with the raw response. */
function run(implementation: string, program: string): unknown {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--no-deprecation',
      '-e',
      `const http = require('node:http');
       const fs = require('node:fs');
       const { setTimeout: wait } = require('node:timers');
       const load = () => require(${JSON.stringify(implementation)});
       const get = (server, path) => new Promise((resolve, reject) => {
         http.get({ port: server.address().port, host: '127.0.0.1', path, agent: false }, (res) => {
           let body = '';
           res.setEncoding('utf8').on('data', (text) => { body += text; });
           res.on('end', () => resolve({ status: res.statusCode, date: res.headers.date, body }));
         }).on('error', reject);
       });
       const finish = (value) => { console.log(JSON.stringify(value)); process.exit(); };
       ${program}`,
    ],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect(stderr).to.equal('');
  return JSON.parse(stdout);
}

const RESPONSES = `
  const paths = ['/json', '/cookie', '/redirect', '/format', '/vary', '/attachment', '/file', '/none'];
  const add = (app) => {
    app.get('/json', (req, res) => { res.json(1); });
    app.get('/cookie', (req, res) => { res.cookie('a', 'b').send('c'); });
    app.get('/redirect', (req, res) => { res.redirect('/x'); });
    app.get('/format', (req, res) => { res.format({ json: () => res.json(1) }); });
    app.get('/vary', (req, res) => { res.vary('X').send('v'); });
    app.get('/attachment', (req, res) => { res.attachment('a.txt').send('a'); });
    app.get('/file', (req, res) => { res.sendFile('package.json', { root: process.cwd() }); });
  };
  const answer = (app) => {
    const server = app.listen(0, '127.0.0.1', async () => {
      const statuses = [];
      for (const path of paths) statuses.push((await get(server, path)).status);
      finish(statuses);
    });
  };`;

/** The programs by the title of their test. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'app.listen calls a replaced http.createServer with the listener alone': `
    const { createServer } = http;
    const seen = [];
    http.createServer = function (listener) {
      seen.push([...arguments].map((each) => typeof each));
      return createServer((req, res) => { seen.push(req.url); listener(req, res); });
    };
    const app = load()();
    app.get('/', (req, res) => { res.send('x'); });
    const server = app.listen(0, '127.0.0.1', async () => {
      await get(server, '/');
      finish(seen);
    });`,
  'timers that are numbers, and no setImmediate, before the package is loaded': `
    let id = 0;
    globalThis.setTimeout = (callback, ms) => { wait(callback, ms).unref(); return ++id; };
    globalThis.setInterval = () => ++id;
    delete globalThis.setImmediate;
    ${RESPONSES}
    const app = load()();
    app.set('env', 'test');
    add(app);
    answer(app);`,
  'fs.readFileSync replaced after set-up': `
    ${RESPONSES}
    const app = load()();
    add(app);
    app.use((err, req, res, next) => { res.status(500).end(); });
    fs.readFileSync = () => 'replaced';
    answer(app);`,
  'built-ins frozen after the application is created': `
    ${RESPONSES}
    const app = load()();
    for (const each of [Object, Array, Function, Promise, Map, Set, Symbol, Error, TypeError]) {
      Object.freeze(each);
      Object.freeze(each.prototype);
    }
    add(app);
    answer(app);`,
};

const CLOCK = `
  const Clock = Date;
  const replace = () => {
    globalThis.Date = class extends Clock {
      constructor() { super(Clock.UTC(2020, 0, 1)); }
      static now() { return Clock.UTC(2020, 0, 1); }
    };
  };
  const isReal = ({ date }) => Math.abs(Clock.parse(date) - Clock.now()) < 60_000;
  const compare = (app) => {
    app.get('/', (req, res) => { res.json(1); });
    const server = app.listen(0, '127.0.0.1', async () => {
      replace();
      const dates = [isReal(await get(server, '/'))];
      globalThis.Date = Clock;
      dates.push(isReal(await get(server, '/')));
      finish(dates);
    });
  };`;

describe('replaced surroundings', () => {
  for (const [implementation, reference] of [
    ['nozomi', 'express'],
    ['nozomi/4', 'express4'],
  ] as const) {
    for (const [title, program] of Object.entries(PROGRAMS)) {
      it(`${implementation}: ${title}`, () => {
        expect(run(implementation, program)).to.deep.equal(run(reference, program));
      });
    }

    it(`${implementation}: the header Date is the real time while a clock is replaced, and afterwards`, () => {
      expect(run(implementation, `${CLOCK} compare(load()());`)).to.deep.equal([true, true]);
    });

    it(`${implementation}: the header Date is the real time if the clock was replaced at load`, () => {
      const program = `${CLOCK} replace(); const app = load()(); globalThis.Date = Clock; compare(app);`;

      expect(run(implementation, program)).to.deep.equal([true, true]);
    });
  }

  it('the files that agents find have the local variables of Express', () => {
    const namesIn = (implementation: string): unknown =>
      run(
        implementation,
        `const Module = require('node:module');
         const { _compile } = Module.prototype;
         globalThis.types = {};
         const WANTED = { 'express/lib/express.js': 'Router', 'express4/lib/express.js': 'Router',
           'express/lib/router/route.js': 'Route', 'express4/lib/router/route.js': 'Route' };
         Module.prototype._compile = function (text, file, ...rest) {
           const path = file.split(/node_modules./).at(-1).replaceAll('\\\\', '/');
           const name = WANTED[path];
           const key = path.replace('express4', 'express');
           return _compile.call(this, name ? text + '\\n;types["' + key + '"] = typeof ' + name + ';' : text, file, ...rest);
         };
         load();
         finish(types);`,
      );

    expect(namesIn('nozomi')).to.deep.equal(namesIn('express'));
    expect(namesIn('nozomi/4')).to.deep.equal(namesIn('express4'));
  });
});
