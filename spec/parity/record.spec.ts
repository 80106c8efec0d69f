import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type * as har from 'har-format';
import express from 'nozomi';
import { readHar } from '../../parity/application/traffic';
import { playSteps } from '../../parity/client/exchange';
import type { Exchange } from '../../parity/client/messages';
import { get, options, post, raw, type Step } from '../../parity/client/request';
import { type RecorderOptions, recorder } from '../../parity/recorder';
import { Recorder } from '../../parity/recorder/recorder';
import { temporaryFolder } from '../../parity/temporary-folder';
import { COMMAND, type Ended, ROOT, runParity } from '../support/command';
import { heardDuring } from '../support/heard';
import { BOOKSHOP, recordBookshop } from '../support/record-bookshop';
import { serving } from '../support/serve';

describe('nozomi-parity record', () => {
  const file = join(temporaryFolder('record'), 'traffic.har');

  before(() => recordBookshop(file));

  it('records uploads, streams and errors, and leaves a complete file', () => {
    const { requests, leftOut } = readHar(file);
    const ids = requests.map(({ id }) => id);

    expect(leftOut).to.deep.equal([]);
    expect(ids).to.include.members(['GET /', 'POST /covers', 'GET /events', 'GET /export', 'GET /broken']);
    expect(String(requests.find(({ id }) => id === 'POST /covers')?.payload)).to.match(
      /^--cut\r\n[\s\S]*<svg/,
    );
    expect(requests.find(({ id }) => id === 'GET /api/books/9')?.recorded).to.equal(404);
  });

  it('keeps no secrets by default', () => {
    expect(existsSync(join(dirname(file), '.nozomi'))).to.equal(false);
  });

  it('writes a HAR that nozomi-parity plays', async () => {
    // GET /late throws after its response.
    const allowed = '--allow-uncaught-errors';
    const { code, output } = await parity('app.js', '--har', file, '--patience', '1000', allowed);

    expect(output).to.match(/, 0 failed\n$/);
    expect(output).to.not.include('left out');
    expect(code).to.equal(0);
  });
});

describe('nozomi-parity record with several servers', () => {
  it('records each worker of a cluster in a file, and no other child process of the application', async () => {
    const { folder, output } = await recordProgram(`
      const cluster = require('node:cluster');
      const { fork } = require('node:child_process');
      if (process.argv[2] === 'job') process.exit();
      else if (cluster.isPrimary) {
        for (const path of ['/one', '/two']) cluster.fork().once('message', async (port) => {
          await fetch('http://127.0.0.1:' + port + path).then((response) => response.text());
          done();
        });
        let left = 2;
        const done = () => {
          if (--left > 0) return;
          for (const worker of Object.values(cluster.workers)) worker.process.kill('SIGTERM');
          fork(__filename, ['job']);
        };
      } else {
        const server = require('node:http').createServer((_req, res) => res.end('hello'));
        server.listen({ port: 0, exclusive: true }, () => process.send(server.address().port));
      }`);
    const recordedIn = (name: string): string[] => readHar(join(folder, name)).requests.map(({ id }) => id);

    expect([recordedIn('traffic-1.har'), recordedIn('traffic-2.har')]).to.deep.equal([
      ['GET /one'],
      ['GET /two'],
    ]);
    expect(output.match(/recorded \d requests?/g)).to.have.length(3);
  });

  it('records requests over HTTP/2 and HTTP/1.1 to one server, and to a second server', async () => {
    const secure = join(__dirname, 'applications', 'secure');
    const { folder } = await recordProgram(`
      const { readFileSync } = require('node:fs');
      const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(${JSON.stringify(secure)} + '/' + name));
      const server = require('node:http2').createSecureServer({ key, cert, allowHTTP1: true }, (req, res) => {
        res.setHeader('X-Of', 'a');
        req.resume().on('end', () => res.end('hello'));
      });
      const other = require('node:http').createServer((_req, res) => res.end('other'));
      const get = (http, options) => new Promise((resolve) => http.get(options, (res) => res.resume().on('end', resolve)));
      server.listen(0, () => other.listen(0, async () => {
        const { port } = server.address();
        await get(require('node:https'), { port, path: '/one', rejectUnauthorized: false, headers: { Host: 'app.test' } });
        await get(require('node:http'), { port: other.address().port, path: '/other', headers: { Host: 'other.test' } });
        const session = require('node:http2').connect('https://localhost:' + port, { rejectUnauthorized: false });
        const stream = session.request({ ':method': 'POST', ':path': '/two', ':authority': 'app.test', 'x-a': '1' });
        stream.end('body').resume().on('close', () => setTimeout(() => process.exit(), 50));
      }));`);
    const [one, two] = readHar(join(folder, 'traffic.har'), 'https://app.test').requests;
    const { requests: others } = readHar(join(folder, 'traffic.har'), 'http://other.test');

    expect([one?.id, two?.id, others[0]?.id]).to.deep.equal(['GET /one', 'POST /two', 'GET /other']);
    expect(String(two?.payload)).to.equal('body');
    expect(two?.headers).to.deep.include(['Host', 'app.test']).and.deep.include(['x-a', '1']);
    expect(two?.answer?.headers).to.deep.include(['x-of', 'a']);
  });
});

describe('nozomi-parity record, its summary', () => {
  it('says what was masked and dropped, and what was not recorded', async () => {
    const { output } = await recordProgram(`
      const http = require('node:http');
      const server = http.createServer((req, res) => {
        req.resume();
        if (req.url !== '/endless') req.on('end', () => res.end('hello'));
      });
      server.on('upgrade', (_req, socket) => socket.destroy());
      server.listen(0, async () => {
        const { port } = server.address();
        const ask = (path, options) => new Promise((resolve) => {
          const { body, ...rest } = options ?? {};
          http.request({ port, path, agent: false, ...rest }, (res) => res.resume().on('close', resolve))
            .on('error', resolve).end(body);
        });
        await ask('/one?token=abc');
        await ask('/one?token=def');
        await ask('/upload', { method: 'POST', body: Buffer.from([255, 0]) });
        await ask('/socket', { headers: { Connection: 'Upgrade', Upgrade: 'websocket' } });
        server.once('request', () => setImmediate(() => process.exit()));
        ask('/endless');
      });`);

    expect(output.replace(/ in .*traffic\.har/, '')).to.equal(
      'recorded 2 requests\n  masked: different values (2)\n  dropped: a body that is not text (1)\n' +
        '  not recorded: requests similar to recorded ones (1), WebSockets and other upgrades (1), requests without a response (1)\n',
    );
  });
});

describe('nozomi-parity record, its exit code', () => {
  for (const [what, statement, expected] of [
    ['the exit code of the application', 'process.exit(3)', 3],
    ['128 and the number of the signal that ended it', "process.kill(process.pid, 'SIGKILL')", 137],
  ] as const) {
    it(`is ${what}`, async () => {
      const folder = temporaryFolder('record-exit');
      writeFileSync(join(folder, 'app.js'), statement);
      const { code } = await runParity(['record', 'app.js'], { cwd: folder });

      expect(code).to.equal(expected);
    });
  }

  if (process.platform !== 'win32')
    it('is 0 after Ctrl+C in a terminal, which signals the application, too', async () => {
      const folder = temporaryFolder('record-exit');
      const ending = `process.once('exit', () => {
        require('node:fs').writeSync(1, 'ending');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
      });`;
      writeFileSync(join(folder, 'app.js'), `${ending} setInterval(() => {}, 1000); console.log('started');`);
      const child = spawn(process.execPath, [COMMAND, 'record', 'app.js'], { cwd: folder, detached: true });
      const [closed, errors] = [once(child, 'close'), text(child.stderr)];
      await once(child.stdout, 'data');
      child.kill('SIGINT');
      await once(child.stdout, 'data');
      process.kill(-(child.pid as number), 'SIGINT');
      const [code] = await closed;

      expect(await errors).to.match(/^recorded 0 requests in .*\n {2}masked: different values \(0\)\n$/);
      expect(code).to.equal(0);
    });
});

async function recordProgram(text: string): Promise<{ folder: string; output: string }> {
  const folder = temporaryFolder('record-program');
  writeFileSync(join(folder, 'app.js'), text);
  const { output, errors } = await runParity(['record', 'app.js'], { cwd: folder });
  return { folder, output: output + errors };
}

describe('nozomi-parity/recorder', () => {
  it('masks cookies, authorization, passwords, tokens and e-mail addresses', async () => {
    const entries = await recorded({}, [
      post(
        '/login?token=secret-1',
        { password: 'secret-2', name: 'Ann' },
        { Cookie: 'sid=secret-3', Authorization: 'Bearer secret-4' },
      ),
      post('/form', 'pwd=secret-5&a=1', { 'Content-Type': 'application/x-www-form-urlencoded' }),
    ]);
    const text = JSON.stringify(entries);

    expect(text).to.not.match(/secret-\d|ann@example\.org/);
    expect(text).to.include('Ann').and.to.include('sid=masked-').and.to.include('Bearer masked-');
    const [login] = entries;
    const length = login?.request.headers.find(({ name }) => name === 'Content-Length')?.value;
    expect(Number(length)).to.equal(Buffer.byteLength(login?.request.postData?.text ?? ''));
  });

  it('writes targets that are sent again as they were, and URLs that other programs read', async () => {
    const targets = [
      '/a/../b',
      '/a\\b',
      '/%zz',
      "/q?x='1'&y={}",
      '/a?b=c#d',

      'http://parity.test/full',
    ];
    const steps = targets.map((target) => raw(`GET ${target} HTTP/1.1\r\nHost: parity.test\r\n\r\n`));
    const entries = await recorded({ keep: 10 }, [...steps, options('*')]);
    const file = join(temporaryFolder('targets'), 'traffic.har');
    writeFileSync(file, JSON.stringify({ log: { entries } }));

    expect(readHar(file).requests.map(({ target }) => target)).to.deep.equal([...targets, '*']);
    for (const { request } of entries) expect(new URL(request.url).host).to.equal('parity.test');
  });

  it('masks the given names, and nothing if scrub is false', async () => {
    const nick = post('/login', { nickname: 'momo', token: 'seen' });
    const more = await recorded({ scrub: { members: ['nickname'] } }, [nick]);
    const all = await recorded({ scrub: false }, [nick]);

    expect(JSON.stringify(more)).to.not.include('momo');
    expect(JSON.stringify(all)).to.include('momo').and.to.include('seen');
  });

  it('keeps one request for each route, status and shape of the body', async () => {
    const entries = await recorded({}, [get('/users/1'), get('/users/2'), get('/none')]);

    expect(entries.map(({ request }) => new URL(request.url).pathname)).to.deep.equal(['/users/1', '/none']);
  });

  it('keeps the file below the maximum size, and omits a long body', async () => {
    const asked = Array.from({ length: 40 }, (_, index) => get(`/only-${'x'.repeat(index)}`));
    const entries = await recorded({ maxBytes: 4000 }, asked);
    const [long] = await recorded({ maxBody: 10 }, [post('/login', { long: 'x'.repeat(50) })]);

    expect(entries).to.have.length.within(2, 8);
    expect(long?.request.postData).to.equal(undefined);
    expect(long?.request.bodySize).to.equal(61);
    expect(long?.comment).to.equal('request body: longer than 10 bytes');
  });

  it('inspects no more requests than its limit', async () => {
    const asked = Array.from({ length: 20 }, (_, index) => get(`/only-${'x'.repeat(index)}`));
    const entries = await recorded({ perSecond: 1 }, asked);

    expect(entries).to.have.length.within(1, 12);
  });

  it('removes the folders of the machine from stack traces', async () => {
    const [entry] = await recorded({}, [get('/broken')]);
    const text = entry?.response.content.text ?? '';

    expect(text).to.match(/at .*\(\/application\/spec\/parity\/record\.spec\.ts:\d+:\d+\)/);
    expect(text).to.include('in /application').and.not.include(ROOT);
  });

  it('replaces bodies that are not text, and keeps them with the option binary', async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0, 1]);
    const request = post('/login', bytes, { 'Content-Type': 'application/octet-stream' });
    const [masked] = await recorded({}, [request]);
    const [kept] = await recorded({ scrub: { binary: true } }, [request]);

    expect(masked?.request.postData).to.include({
      text: 'xxxx',
      comment: 'dropped, and replaced with "x": a body that is not text',
    });
    expect(kept?.request.postData).to.include({ text: bytes.toString('base64'), encoding: 'base64' });
  });

  // /dev/full is a device of Linux on which each write fails.
  if (existsSync('/dev/full'))
    it('lets the application handle every request if the disk is full at the start', async () => {
      const app = express();
      const heard = await heardDuring('warning', async () => {
        app.use(recorder({ file: '/dev/full' }), (_req, res) => void res.send('hello'));
        const [seen] = await playOn(app, [get('/')]);
        expect(seen?.response.status).to.equal(200);
      });

      expect(heard.map(({ message }) => message).join('\n')).to.match(/^recording stopped: ENOSPC/m);
    });

  it('truncates the file after the last complete entry if the disk becomes full', async () => {
    const { writeSync } = fs;
    const file = join(temporaryFolder('full'), 'traffic.har');
    const warnings: string[] = [];
    const onWarning = ({ message }: Error): void => {
      if (message.startsWith('recording')) warnings.push(message);
    };
    process.on('warning', onWarning);
    const recording = new Recorder({ file });
    const app = express();
    app.use((req, res, next) => {
      recording.observe(req, res);
      next();
    });
    for (const path of ['/a', '/b', '/c', '/d']) app.get(path, (_req, res) => res.send('hello'));
    app.post('/upload', (req, res) => void req.pipe(res));
    app.get('/stream', (_req, res) => {
      res.write('one,');
      setImmediate(() => res.end('two'));
    });
    try {
      await playOn(app, [get('/a')]);
      expect(readFileSync(file, 'utf8')).to.include('/a');
      Object.assign(fs, {
        writeSync() {
          throw new Error('ENOSPC');
        },
      });
      const upload = Buffer.alloc(300_000, 'x');
      const asked = [get('/b'), post('/upload', upload), get('/stream'), get('/c'), get('/d')];
      const seen = await playOn(app, asked);

      expect(seen.map(({ response }) => response.status)).to.deep.equal([200, 200, 200, 200, 200]);
      expect(seen[1]?.response.body?.equals(upload)).to.equal(true);
      expect(String(seen[2]?.response.body)).to.equal('one,two');
      expect(warnings).to.deep.equal(['recording stopped: ENOSPC']);
      expect(JSON.parse(readFileSync(file, 'utf8')).log.entries).to.have.length(1);
    } finally {
      Object.assign(fs, { writeSync });
      process.off('warning', onWarning);
    }
  });
});

async function recorded(
  options: Omit<RecorderOptions, 'file'>,
  steps: readonly Step[],
): Promise<har.Entry[]> {
  const file = join(temporaryFolder('recorder'), 'traffic.har');
  const app = express().set('env', 'test');
  app.use(recorder({ file, ...options }), express.json(), express.urlencoded());
  app.post('/login', (_req, res) => {
    res.cookie('sid', 'secret-6').json({ token: 'secret-7', mail: 'ann@example.org' });
  });
  app.get('/broken', () => {
    throw new Error(`in ${process.cwd()}`);
  });
  app.get('/users/:id', (req, res) => res.json({ id: req.params.id }));
  await playOn(app, steps);
  return JSON.parse(readFileSync(file, 'utf8')).log.entries;
}

/** Sends requests to an application, and waits until the recorder has written the last response. */
async function playOn(app: express.Express, steps: readonly Step[]): Promise<Exchange[]> {
  const seen = await serving(createServer(app), (port) => playSteps(steps, { port, patience: 5000 }));
  // The recorder writes one turn of the event loop after a response has closed.
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  return seen;
}

function parity(...args: string[]): Promise<Ended> {
  return runParity(args, { cwd: BOOKSHOP });
}
