import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import logger from 'nozomi/logger';
import { createStream } from 'rotating-file-stream';
import { receive } from '../support/connections';
import { filesOf } from '../support/files';
import { PATIENCE } from '../support/play';
import { serving } from '../support/serve';
import { Log } from './support/log';
import { ask, get } from './support/serve';

type Stream = NonNullable<Parameters<typeof logger>[1]>['stream'];

/** Sends `count` requests one after the other, logged with their URLs. @returns The responses, head and body. */
async function responses(stream: Stream, count: number, options: object = {}): Promise<string[]> {
  const middleware = logger(':url', { ...options, stream });
  return serving(
    (req, res) => middleware(req, res, () => res.end('hello')),
    async (at) => {
      const all: string[] = [];
      for (let i = 0; i < count; i++) all.push(await receive(at, get(`/${i}`, { Connection: 'close' })));
      return all;
    },
  );
}

function expectGood(all: string[]): void {
  for (const response of all) expect(response).to.match(/^HTTP\/1\.1 200 OK\r\n[\s\S]*hello/);
}

/** Waits for `run`, then for `count` warnings, because streams report errors later. @returns The logger's warnings. */
async function warnings(count: number, run: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  const listener = (warning: Error & { code?: string }) => {
    if (warning.code === 'NOZOMI_LOG_STREAM') seen.push(`${warning.name}: ${warning.message}`);
  };
  process.on('warning', listener);
  try {
    await run();
    const end = performance.now() + PATIENCE;
    do await new Promise(setImmediate);
    while (seen.length < count && performance.now() < end);
  } finally {
    process.off('warning', listener);
  }
  return seen;
}

proves('L-2.2-09 L-1-04');
describe('streams of the logger', () => {
  it('a stream that rotates by time receives every line, in the file of its hour', async () => {
    const directory = filesOf({});
    const stream = createStream('access.log', { interval: '1h', path: directory });

    expectGood(await responses(stream, 5));
    await new Promise<void>((resolve) => stream.end(resolve));

    expect(readdirSync(directory)).to.deep.equal(['access.log']);
    expect(readFileSync(join(directory, 'access.log'), 'utf8')).to.equal('/0\n/1\n/2\n/3\n/4\n');
  });

  it('a stream that rotates by size receives every line as a whole', async () => {
    const directory = filesOf({});
    const names: string[] = [];
    const stream = createStream((_time, index) => (index ? `access.${index}.log` : 'access.log'), {
      size: '10B',
      path: directory,
    });

    expectGood(await responses(stream, 12));
    await new Promise<void>((resolve) => stream.end(resolve));
    names.push(...readdirSync(directory));

    const lines = names.flatMap((name) => readFileSync(join(directory, name), 'utf8').match(/^.*\n/gm) ?? []);
    expect(names.length).to.be.above(1);
    expect(lines.sort()).to.deep.equal(Array.from({ length: 12 }, (_, i) => `/${i}\n`).sort());
  });

  it('any object with a write method can be the option stream', async () => {
    const lines: string[] = [];

    await responses({ write: (line) => void lines.push(line) }, 2);

    expect(lines).to.deep.equal(['/0\n', '/1\n']);
  });

  it('a stream in object mode receives objects of a format as objects, and strings with a newline', async () => {
    const seen: unknown[] = [];
    const stream = new Writable({
      objectMode: true,
      write(chunk, _encoding, done) {
        seen.push(chunk);
        done();
      },
    });
    const object = { any: 'thing' };
    const middlewares = [logger(() => object as never, { stream }), logger(() => 'text', { stream })];

    for (const middleware of middlewares) await ask((req, res) => middleware(req, res, () => res.end()));

    expect(seen[0]).to.equal(object);
    expect(seen[1]).to.equal('text\n');
  });

  it('a stream that is not in object mode receives an object as a string', async () => {
    const log = new Log();
    const middleware = logger(() => ({ toString: () => 'as text' }) as never, { stream: log });

    await ask((req, res) => middleware(req, res, () => res.end()));

    expect(await log.until(1)).to.deep.equal(['as text\n']);
  });

  proves('L-4-03');
  it('with the option buffer, several lines are passed in one write', async () => {
    for (const buffer of [10, true]) {
      const log = new Log();

      expectGood(await responses(log, 2, { buffer }));

      expect((await log.until(1)).join('')).to.match(/^\/0\n(\/1\n)?/);
    }
  });

  proves('L-4-03');
  it('with the option buffer, one write contains the lines of one interval', async () => {
    const log = new Log();
    const middleware = logger(':url', { stream: log, buffer: 50, immediate: true });

    for (const url of ['/0', '/1', '/2']) middleware({ url } as never, {} as never, () => {});
    expect(log.lines).to.deep.equal([]);

    expect(await log.until(1)).to.deep.equal(['/0\n/1\n/2\n']);
  });
});

describe("the option buffer: 'turn' of the logger, which morgan lacks", () => {
  it('writes the lines of one turn of the event loop together', async () => {
    const log = new Log();
    const middleware = logger(':url', { stream: log, buffer: 'turn', immediate: true });

    for (const url of ['/0', '/1']) middleware({ url } as never, {} as never, () => {});
    expect(log.lines).to.deep.equal([]);
    expect(await log.until(1)).to.deep.equal(['/0\n/1\n']);
    middleware({ url: '/2' } as never, {} as never, () => {});

    expect(await log.until(2)).to.deep.equal(['/0\n/1\n', '/2\n']);
  });

  it('loses no line if the process exits, or ends with an uncaught exception', () => {
    for (const end of ['process.exit()', 'throw 1']) {
      const program = `const logger = require('nozomi/logger');
        logger(':url', { buffer: 'turn', immediate: true })({ url: '/last' }, {}, () => {});
        ${end};`;

      const { stdout } = spawnSync(process.execPath, ['-e', program], {
        encoding: 'utf8',
        cwd: join(__dirname, '../..'),
      });

      expect(stdout, end).to.equal('/last\n');
    }
  });

  it('prints no warning of deprecation', () => {
    const program = "require('nozomi/logger')('tiny', { buffer: 'turn' });";

    const { stderr } = spawnSync(process.execPath, ['-e', program], {
      encoding: 'utf8',
      cwd: join(__dirname, '../..'),
    });

    expect(stderr).to.equal('');
  });
});

proves('L-1-03 L-4-17');
describe('a failing stream of the logger', () => {
  it('warns once and affects no response if write throws', async () => {
    const stream = {
      write() {
        throw new Error('sink is broken');
      },
    };

    const told = await warnings(1, async () => {
      expectGood(await responses(stream, 3));
      expectGood(await responses(stream, 2, { immediate: true }));
    });

    expect(told).to.deep.equal(['LoggerWarning: The log stream failed, lines are lost: sink is broken']);
  });

  it('warns once if write throws a value that is not an Error', async () => {
    const stream = {
      write() {
        throw 'just text';
      },
    };

    const told = await warnings(1, async () => expectGood(await responses(stream, 1)));

    expect(told).to.deep.equal(['LoggerWarning: The log stream failed, lines are lost: just text']);
  });

  it('warns once and affects no response if its file cannot be opened', async () => {
    const stream = createWriteStream(join(filesOf({}), 'no', 'such', 'directory.log'), { flags: 'a' });

    const told = await warnings(1, async () => {
      expectGood(await responses(stream, 3));
    });

    expect(told).to.have.length(1);
    expect(told[0]).to.contain('ENOENT');
  });

  it('causes no warning if the application listens for its errors', async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('disk is full')) });
    const errors: string[] = [];
    const middleware = logger(':url', { stream });
    stream.on('error', (error) => errors.push(error.message));

    const told = await warnings(0, async () => {
      for (let i = 0; i < 2; i++) {
        expect(await ask((req, res) => middleware(req, res, () => res.end('hello')))).to.contain('hello');
      }
    });

    expect(told).to.deep.equal([]);
    expect(errors).to.deep.equal(['disk is full']);
  });

  it('has one listener if several loggers share it', () => {
    const stream = new Log();

    for (let i = 0; i < 20; i++) logger('tiny', { stream });

    expect(stream.listenerCount('error')).to.equal(1);
  });

  it('affects no response if it was destroyed or ended', async () => {
    for (const close of ['destroy', 'end'] as const) {
      const stream = new Log();
      stream[close]();
      await new Promise(setImmediate);

      await warnings(0, async () => expectGood(await responses(stream, 3)));

      expect(stream.lines).to.deep.equal([]);
    }
  });

  it('affects no response while it stalls, and then receives every line in order', async () => {
    const lines: string[] = [];
    let release: (() => void) | undefined;
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        if (release) done();
        else release = done;
      },
    });

    expectGood(await responses(stream, 200));

    expect(lines).to.have.length(1);
    // The stream buffers all lines while its write is pending.
    const all = Array.from({ length: 200 }, (_, i) => `/${i}\n`);
    expect(stream.writableLength).to.equal(all.join('').length);

    release?.();
    await new Promise<void>((resolve) => stream.end(resolve));
    expect(lines).to.deep.equal(all);
  });

  proves('L-2.2-08');
  it('warns once and affects no response if standard output closes', async () => {
    const service = spawn(
      process.execPath,
      [
        '-e',
        `const middleware = require('nozomi/logger')(':url');
         require('node:http')
           .createServer((req, res) => middleware(req, res, () => res.end('hello')))
           .listen(0, '127.0.0.1', function () { process.send(this.address().port); });`,
      ],
      { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    );
    const [at] = (await once(service, 'message')) as [number];
    let stderr = '';
    service.stderr?.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });

    service.stdout?.destroy();
    for (let i = 0; i < 5; i++) expectGood([await receive(at, get('/', { Connection: 'close' }))]);

    expect(service.exitCode).to.equal(null);
    service.kill();
    await once(service, 'close');
    expect(stderr.match(/NOZOMI_LOG_STREAM/g)).to.have.length(1);
    expect(stderr).to.contain('EPIPE');
  });
});

proves('L-1-01');
describe('nozomi/logger, the entry point', () => {
  const run = (...args: string[]) => execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();

  it('loads no file of the framework', () => {
    const loaded = run(
      '-p',
      `require('nozomi/logger');
       Object.keys(require.cache).filter((file) => !file.includes('node_modules')).map((file) =>
         file.replace(/.*[\\\\/]dist[\\\\/]/, '').replaceAll('\\\\', '/')).join('\\n')`,
    ).split('\n');

    // `base` has the code that logger and framework share, and imports neither.
    expect(loaded).to.have.members(['logger/index.js', 'parts/logger.js', 'parts/base.js']);
  });

  it('exports one instance to require and import, with named exports', () => {
    const program = `
      import { createRequire } from 'node:module';
      import logger, { compile, format, token } from 'nozomi/logger';
      const required = createRequire(import.meta.url)('nozomi/logger');
      console.log(logger === required, compile === logger.compile, format === logger.format, token === logger.token);`;

    expect(run('--input-type=module', '-e', program)).to.equal('true true true true');
  });
});
