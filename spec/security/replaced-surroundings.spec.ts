/** Clocks, timers, `fs` and `http` that tests and agents replace: responses are those of Express. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

const ADD = `
  const paths = ['/json', '/cookie', '/redirect', '/format', '/vary', '/attachment', '/file', '/none'];
  const add = (app) => {
    app.get('/json', (req, res) => { res.json(1); });
    app.get('/cookie', (req, res) => { res.cookie('a', 'b').send('c'); });
    app.get('/redirect', (req, res) => { res.redirect('/x'); });
    app.get('/format', (req, res) => { res.format({ json: () => res.json(1) }); });
    app.get('/vary', (req, res) => { res.vary('X').send('v'); });
    app.get('/attachment', (req, res) => { res.attachment('a.txt').send('a'); });
    app.get('/file', (req, res) => { res.sendFile('package.json', { root: process.cwd() }); });
  };`;

const RESPONSES = `
  ${ADD}
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
  'cookies show the clock of the moment': `
    const Clock = Date;
    const app = load()();
    app.get('/', (req, res) => {
      globalThis.Date = class extends Clock {
        constructor(time = Clock.UTC(2020, 0, 1)) { super(time); }
        static now() { return Clock.UTC(2020, 0, 1); }
      };
      res.cookie('a', 'b', { maxAge: 1000 }).clearCookie('c');
      const cookies = res.get('set-cookie');
      globalThis.Date = Clock;
      res.cookie('a', 'b', { expires: new Date(0) });
      res.json([...cookies, res.get('set-cookie').at(-1)]);
    });
    const server = app.listen(0, '127.0.0.1', async () => finish((await get(server, '/')).body));`,
  'setImmediate is the global one of the moment': `
    const app = load()();
    let calls = 0;
    for (let index = 0; index < 250; index++) app.use((req, res, next) => next());
    app.get('/', (req, res) => { res.send('end'); });
    const server = app.listen(0, '127.0.0.1', async () => {
      const { setImmediate: real } = globalThis;
      globalThis.setImmediate = (callback, ...args) => {
        calls++;
        return real(callback, ...args);
      };
      const { status } = await get(server, '/');
      const missing = (await get(server, '/none')).status;
      finish([status, missing, calls > 1]);
    });`,
  'methods of requests and responses that code replaces after loading are called': `
    const app = load()();
    ${ADD}
    add(app);
    const server = app.listen(0, '127.0.0.1', async () => {
      const seen = new Set();
      for (const [type, names] of [
        [http.ServerResponse, ['setHeader', 'getHeader', 'removeHeader', 'writeHead', 'write', 'end']],
        [http.IncomingMessage, ['resume']],
      ])
        for (const name of names) {
          const method = type.prototype[name];
          if (!method) continue;
          type.prototype[name] = function (...args) {
            if (name !== 'getHeader' && name !== 'resume') seen.add(this.req?.url + ' ' + name + ' ' + args[0]);
            return method.apply(this, args);
          };
        }
      for (const path of paths) await get(server, path);
      finish([...seen].filter((each) => !/ (?:end|write) /.test(each)).sort());
    });`,
  'NODE_ENV is that of the creation of an application, or of the response without a setting env': `
    process.env.NODE_ENV = 'production';
    const framework = load();
    process.env.NODE_ENV = 'development';
    const app = framework();
    process.env.NODE_ENV = 'production';
    app.get('/', (req, res) => { throw new Error('wrong'); });
    const bare = framework();
    bare.set('env', undefined);
    bare.get('/', (req, res) => { throw Object.assign(new Error('wrong'), { status: 400 }); });
    const server = app.listen(0, '127.0.0.1', () => {
      const second = bare.listen(0, '127.0.0.1', async () => {
        console.error = () => undefined;
        const bodies = [await get(server, '/'), await get(second, '/')].map(({ body }) => body);
        finish([app.get('env'), app.enabled('view cache'), ...bodies.map((body) => /Error: wrong<br>/.test(body))]);
      });
    });`,
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

  it('nozomi/http2 and nozomi/fetch take timers from node:timers', () => {
    const program = `
      let id = 0;
      for (const name of ['setTimeout', 'setInterval', 'setImmediate']) globalThis[name] = () => ++id;
      const http2 = require('node:http2');
      const { createServer } = require('nozomi/http2');
      const { toFetch } = require('nozomi/fetch');
      const app = load()();
      app.get('/', (req, res) => { res.send('end'); });
      const server = createServer({ cleartext: true, sessionTimeout: 50 }, app).listen(0, '127.0.0.1', async () => {
        const session = http2.connect('http://127.0.0.1:' + server.address().port);
        const response = await new Promise((resolve) => session.request({ ':path': '/' }).on('response', resolve).resume());
        // The server ends it after the timeout.
        await new Promise((resolve) => session.on('close', resolve));
        const { status } = await toFetch(app)(new Request('http://spec.test/'));
        finish([response[':status'], status, id]);
      });`;

    expect(run('nozomi', program)).to.deep.equal([200, 200, 0]);
  });

  it('docs/decisions/0002 names a test for each line of its table', function () {
    const page = readFileSync(join(ROOT, 'docs/decisions/0002-everything-loads-at-require.md'), 'utf8');
    const named = [...page.matchAll(/^\| .* \| ([^|]+) \|$/gm)].map(([, title]) => title).slice(2);
    const titles = this.test?.parent?.tests.map(({ title }) => title.replace(/^nozomi(\/4)?: /, ''));

    expect(named).to.have.lengthOf(7);
    expect(titles).to.include.members(named);
  });

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
