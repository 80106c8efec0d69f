/**
 * Compares the transfer of files with Express: the chunks and events, for clients that are slow or disconnect, for files
 * that change, and for failures of the file system.
 */
import { once } from 'node:events';
import fs, { truncateSync, writeFileSync } from 'node:fs';
import http, {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import express from 'express';
import fc from 'fast-check';
import framework from 'nozomi';
import { playSteps } from '../../parity/client/exchange';
import type { Request } from '../../parity/client/messages';
import { aborted, get, head, onOneConnection, pipelined } from '../../parity/client/request';
import { descriptors, descriptorsBeyond } from '../support/descriptors';
import { filesOf } from '../support/files';
import { type Framework, PATIENCE, play, playBeside, textOf } from '../support/play';
import { serving } from '../support/serve';

const CHUNK = 64 * 1024;

type Emitter = { on(name: string, listener: (...args: never[]) => void): void };
type Hook = (this: Emitter, res: ServerResponse, path: string) => void;

/** Serves the files of `root`. `watch` is called with each response before the middleware of `static`. */
function site(root: string, watch: (res: ServerResponse) => void = () => {}, options: object = {}) {
  return (nozomi: Framework): RequestListener => {
    const serve = nozomi.static(root, options);
    return (req, res) => {
      watch(res);
      serve(req as never, res as never, (err?: unknown) => {
        const { status, code, message } = (err ?? {}) as Record<string, unknown>;
        for (const name of res.getHeaderNames()) res.removeHeader(name);
        res.end(`next: ${status} ${code} ${message}`);
      });
    };
  };
}

/** Checks that the first half of the list, of Express, equals the second half. @returns One half. */
function agreed<T>(seen: T[]): T[] {
  const half = seen.length / 2;
  expect(seen.slice(half)).to.deep.equal(seen.slice(0, half));
  return seen.slice(0, half);
}

/** What happens to the file between two requests. Each key completes a test title: `if the file is rewritten`. */
const CHANGES: Readonly<Record<string, (path: string) => void>> = {
  'stays the same': () => {},
  'is rewritten': (path) => writeFileSync(path, 'something else'),
  'is appended to': (path) => fs.appendFileSync(path, 'x'.repeat(600_000)),
  'is emptied': (path) => truncateSync(path),
  'is deleted': (path) => fs.rmSync(path),
  'becomes a directory': (path) => {
    fs.rmSync(path);
    fs.mkdirSync(path);
  },
  'becomes a link to a file': (path) => {
    fs.rmSync(path);
    fs.symlinkSync(__filename, path);
  },
  'becomes a link to nothing': (path) => {
    fs.rmSync(path);
    fs.symlinkSync(`${path}-none`, path);
  },
  'becomes a device': (path) => {
    fs.rmSync(path);
    fs.symlinkSync('/dev/null', path);
  },
};

/** Sets the times of a regular file, because they would differ: each implementation has its own copy of the file. */
function date(path: string, year: number): void {
  const time = new Date(Date.UTC(year, 1, 1));
  if (fs.lstatSync(path, { throwIfNoEntry: false })?.isFile()) fs.utimesSync(path, time, time);
}

describe('framework.static(), the transfer of a file', () => {
  it('writes the same chunks as Express for any length, range, start and end', async () => {
    const around = (length: number) => fc.integer({ min: length - 2, max: length + 2 });
    const length = fc.oneof(fc.nat(20), around(CHUNK), around(2 * CHUNK), fc.nat(200_000));
    const drawn = fc.record({
      length,
      range: fc.option(fc.tuple(length, length).map(([a, b]) => `bytes=${Math.min(a, b)}-${Math.max(a, b)}`)),
      start: fc.option(length),
      end: fc.option(length),
    });
    await fc.assert(
      fc.asyncProperty(drawn, async ({ length, range, start, end }) => {
        const root = filesOf({ 'file.bin': 'x'.repeat(length) });
        const options = { ...(start === null ? {} : { start }), ...(end === null ? {} : { end }) };
        const seen: unknown[] = [];
        await playBeside(
          site(root, (res) => recordWrites(res, seen), options),
          get('/file.bin', range ? { Range: range } : {}),
        );
        agreed(seen);
      }),
      { numRuns: 60 },
    );
  });

  it('writes a file of at most 64 kB in one chunk, and calls end without data', async () => {
    for (const [length, writes] of [
      [0, 0],
      [1, 1],
      [CHUNK, 1],
      [CHUNK + 1, 2],
    ] as const) {
      const seen: unknown[] = [];
      await playBeside(
        site(filesOf({ f: 'x'.repeat(length) }), (res) => recordWrites(res, seen)),
        get('/f'),
      );
      const calls = agreed(seen);
      expect(calls.filter((call) => /^write/.test(String(call)))).to.have.lengthOf(writes);
      expect(calls.at(-1)).to.equal('end ');
    }
  });

  it('emits the same events as send, in the same order', async () => {
    const events: string[] = [];
    const setHeaders: Hook = function (res) {
      for (const name of ['file', 'headers', 'end', 'error']) this.on(name, () => events.push(name));
      res.on('finish', () => events.push('finish'));
    };

    await playBeside(
      site(filesOf({ f: 'file' }), undefined, { setHeaders }),
      get('/f'),
      get('/f', { Range: 'bytes=1-2' }),
    );

    expect(agreed(events)).to.include('end');
  });

  proves('F-2.11-26');
  it('pipes a read stream if the application listens for stream, pipe or unpipe', async () => {
    const streams: string[] = [];
    const setHeaders: Hook = function () {
      this.on('stream', (stream: fs.ReadStream) =>
        streams.push(stream.constructor.name, String(stream.path).slice(-2)),
      );
    };
    const watch = (res: ServerResponse): void => {
      res.on('pipe', (stream) => streams.push(`pipe ${stream.constructor.name}`));
    };
    const root = filesOf({ f: 'file' });

    await playBeside(site(root, undefined, { setHeaders }), get('/f'));
    await playBeside(site(root, watch), get('/f'));
    await playBeside(
      site(root, (res) => res.on('unpipe', () => streams.push('unpipe'))),
      get('/f'),
    );

    expect(streams).to.deep.equal([
      'ReadStream',
      '/f',
      'ReadStream',
      '/f',
      'pipe ReadStream',
      'pipe ReadStream',
      'unpipe',
      'unpipe',
    ]);
  });

  it('passes stream options to the read stream', async () => {
    const root = filesOf({ f: 'file' });
    for (const options of [{ highWaterMark: 2 }, { encoding: 'hex' }, { flags: 'r' }, { autoClose: true }]) {
      const seen: unknown[] = [];
      const [exchange] = await playBeside(
        site(root, (res) => recordWrites(res, seen), options),
        get('/f'),
      );
      expect(agreed(seen).length).to.be.above(0);
      expect(exchange?.response.status).to.equal(200);
    }
  });

  proves('F-7-08');
  it('calls next(err) with the error of the file system when a file cannot be opened, and leaks no descriptor', async () => {
    const before = descriptors();
    const root = filesOf({ f: 'file' });
    const unlinked = { setHeaders: (_res: unknown, path: string) => fs.renameSync(path, `${path}-`) };
    const back = (): void => {
      if (fs.existsSync(join(root, 'f-'))) fs.renameSync(join(root, 'f-'), join(root, 'f'));
    };

    const [exchange] = await playBeside(site(root, back, unlinked), get('/f'));

    expect(textOf(exchange)).to.match(/^next/);
    expect(textOf(exchange)).to.include("404 ENOENT ENOENT: no such file or directory, open '");
    expect(await descriptorsBeyond(before)).to.equal(0);
  });

  for (const [title, change] of Object.entries(CHANGES)) {
    proves('F-2.11-28');
    it(`responds as Express does to a second request if the file ${title}`, async () => {
      const before = descriptors();
      for (const options of [{}, { fallthrough: false }, { redirect: false }]) {
        const path = join(filesOf({}), 'f.txt');
        const build = (nozomi: Framework): RequestListener => {
          fs.rmSync(path, { recursive: true, force: true });
          writeFileSync(path, 'x'.repeat(70_000));
          date(path, 2001);
          return site(dirname(path), undefined, options)(nozomi);
        };
        const after = (): Request => {
          change(path);
          date(path, 2002);
          return get('/f.txt');
        };
        const exchanges = await playBeside(
          build,
          get('/f.txt'),
          get('/f.txt', { Range: 'bytes=2-' }),
          after,
          get('/f.txt', { Range: 'bytes=2-' }),
          get('/f.txt', { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' }),
          head('/f.txt'),
          get('/f.txt/'),
        );
        expect(textOf(exchanges[0])).to.have.lengthOf(70_000);
      }
      expect(await descriptorsBeyond(before)).to.equal(0);
    });
  }

  it('calls fstat instead of stat for a file that was sent before', async () => {
    const serve = site(filesOf({ f: 'file' }))(framework as never);
    const counts: number[] = [];
    for (let request = 0; request < 2; request++) {
      counts.push(await counting('fstatSync', () => play(serve, get('/f'))));
    }

    expect(counts).to.deep.equal([0, 1]);
  });

  proves('F-2.11-28');
  it('serves more files than its cache has paths, and drops the oldest paths', async () => {
    const names = Array.from({ length: 1100 }, (_, n) => `f${n}`);
    const root = filesOf(Object.fromEntries(names.map((name) => [name, name])));
    const asked = [...names, ...names.slice(0, 3)].map((name) => get(`/${name}`));

    const serve = site(root)(framework as never);
    const exchanges = await play(serve, onOneConnection(...asked));
    const looks = (name: string): Promise<number> =>
      counting('fstatSync', () => play(serve, get(`/${name}`)));

    expect(exchanges.map(textOf)).to.deep.equal([...names, 'f0', 'f1', 'f2']);
    expect([await looks('f1099'), await looks('f2'), await looks('f50')]).to.deep.equal([1, 1, 0]);
  });

  it('sends a long file completely to slow and to pipelining clients', async () => {
    const text = Array.from({ length: 300_000 }, (_, n) => `line ${n}\n`).join('');
    const root = filesOf({ long: text });
    const long = get('/long');

    const exchanges = await playBeside(
      site(root),
      onOneConnection(long, long),
      pipelined(long, get('/long', { Range: 'bytes=100000-2000000' }), long),
    );

    expect(exchanges.map((exchange) => textOf(exchange) === text)).to.deep.equal([
      true,
      true,
      true,
      false,
      true,
    ]);
    expect((await slowly(site(root)(framework as never), '/long')) === text).to.equal(true);
  });

  it('sends what a replaced fs.createReadStream reads, also for a file that was sent before', async () => {
    const { createReadStream } = fs;
    const replaced = (path: string, options: object): unknown =>
      path.endsWith('f') ? Readable.from([Buffer.from('FILE')]) : createReadStream(path, options);
    const serve = site(filesOf({ f: 'file' }))(framework as never);
    const texts = [textOf((await play(serve, get('/f')))[0])];
    await replacing('createReadStream', replaced, async () => {
      texts.push(textOf((await play(serve, get('/f')))[0]));
    });

    expect(texts).to.deep.equal(['file', 'FILE']);
  });

  it('sends the file with the package send if fstat fails', async () => {
    const before = descriptors();
    const asked = [get('/f'), get('/f')];
    const [, exchange] = await failing('fstatSync', () =>
      play(site(filesOf({ f: 'file' }))(framework as never), ...asked),
    );

    expect(textOf(exchange)).to.equal('file');
    expect(await descriptorsBeyond(before)).to.equal(0);
  });

  for (const method of ['read', 'closeSync'] as const) {
    proves('F-7-08');
    it(`calls next(err) if ${method} fails, and leaks no descriptor`, async () => {
      const before = descriptors();
      const [exchange] = await failing(method, () =>
        play(site(filesOf({ f: 'file' }))(framework as never), get('/f')),
      );

      expect(textOf(exchange)).to.equal('next: 500 EIO EIO: spec');
      expect(await descriptorsBeyond(before)).to.equal(0);
    });
  }

  proves('F-7-08');
  it('calls next(err) with a status if a replaced fs.open throws', async () => {
    const throwing = (): void => {
      throw Object.assign(new Error('EIO: spec'), { code: 'EIO' });
    };
    const [exchange] = await replacing('open', throwing, () =>
      playBeside(site(filesOf({ f: 'file' })), get('/f')),
    );

    expect(textOf(exchange)).to.equal('next: 500 EIO EIO: spec');
  });

  it('calls a replaced fs.read as Express does', async () => {
    const { read } = fs;
    const lengths: unknown[] = [];
    const counting = (...args: unknown[]): unknown => {
      lengths.push(args[3]);
      return Reflect.apply(read, fs, args);
    };
    await replacing('read', counting, () => playBeside(site(filesOf({ f: 'x'.repeat(300_000) })), get('/f')));

    expect(agreed(lengths)).to.have.lengthOf(5);
  });

  proves('F-7-08');
  it('calls next(err) if the file becomes a directory before it is read, and leaks no descriptor', async () => {
    const before = descriptors();
    const root = filesOf({});
    const setHeaders = (_res: unknown, path: string): void => {
      fs.rmSync(path);
      fs.mkdirSync(path);
    };
    const watch = (): void => {
      fs.rmSync(join(root, 'f'), { recursive: true, force: true });
      writeFileSync(join(root, 'f'), 'file');
    };
    const options = { setHeaders, etag: false, lastModified: false };
    const [exchange] = await playBeside(site(root, watch, options), get('/f'));

    expect(textOf(exchange)).to.equal('next: 500 EISDIR EISDIR: illegal operation on a directory, read');
    expect(await descriptorsBeyond(before)).to.equal(0);
  });

  proves('F-2.11-28');
  it('sends the remaining bytes of a file that is truncated during the transfer, ends the response, and leaks no descriptor', async () => {
    const before = descriptors();
    const root = filesOf({});
    const setHeaders = (_res: unknown, path: string): void => truncateSync(path, 4);
    const seen: unknown[] = [];
    const watch = (res: ServerResponse): void => {
      writeFileSync(join(root, 'f'), 'x'.repeat(100));
      recordWrites(res, seen);
    };

    await playBeside(
      site(root, watch, { setHeaders, etag: false, lastModified: false }),
      get('/f', { Connection: 'close' }),
    );

    expect(agreed(seen)).to.deep.equal(['write 4', 'end ']);
    expect(await descriptorsBeyond(before)).to.equal(0);
  });

  it('writes nothing if the connection closes before the file is open', async () => {
    const before = descriptors();
    for (const leave of [
      (res: ServerResponse) => res.destroy(),
      (res: ServerResponse) => res.socket?.destroy(),
    ]) {
      const seen: unknown[] = [];
      const setHeaders = (res: ServerResponse): void => queueMicrotask(() => leave(res));
      const build = site(filesOf({ f: 'file' }), (res) => recordWrites(res, seen), { setHeaders });
      await playBeside(build, get('/f'));
      await delay(20);
      expect(agreed(seen)).to.deep.equal([]);
    }
    expect(await descriptorsBeyond(before)).to.equal(0);
  });

  it('leaks no descriptor when the client disconnects at any moment', async () => {
    const root = filesOf({ small: 'x'.repeat(10_000), large: 'x'.repeat(3_000_000) });
    const before = descriptors();
    const build = site(root);
    const requests = ['/small', '/large'].flatMap((target) => [
      aborted(get(target), 'sent'),
      aborted(get(target), 'head'),
      get(target, { Range: 'bytes=5-9' }),
      get(target),
    ]);

    for (let round = 0; round < 5; round++) await play(build(framework as never), ...requests);

    expect(await descriptorsBeyond(before)).to.equal(0);
  });

  it('leaks no listener on a connection with many requests', async () => {
    const counts: Record<string, number[]> = { nozomi: [], express: [] };
    for (const [name, implementation] of Object.entries({ nozomi: framework, express })) {
      const serve = site(filesOf({ f: 'file' }))(implementation as never);
      const server = createServer((req: IncomingMessage, res) => {
        const { socket } = req;
        res.on('close', () =>
          counts[name]?.push(
            socket.eventNames().reduce((sum, event) => sum + socket.listenerCount(event), 0),
          ),
        );
        serve(req, res);
      });
      const asked = Array.from({ length: 20 }, () => get('/f'));
      await serving(server, (port) => playSteps([onOneConnection(...asked)], { port, patience: PATIENCE }));
    }

    expect(new Set(counts.nozomi?.slice(0, 19)).size).to.equal(1);
    expect(counts.nozomi?.[0]).to.be.at.most(counts.express?.[0] ?? 0);
  });
});

function recordWrites(res: ServerResponse, seen: unknown[]): void {
  const write = res.write.bind(res) as (...args: unknown[]) => boolean;
  const end = res.end.bind(res) as (...args: unknown[]) => ServerResponse;
  Object.assign(res, {
    write(...args: unknown[]) {
      seen.push(`write ${(args[0] as Buffer).length}`);
      return write(...args);
    },
    end(...args: unknown[]) {
      seen.push(`end ${args.join()}`);
      return end(...args);
    },
  });
}

/** While `body` runs, one function of `node:fs` fails with EIO. `closeSync` closes the descriptor first. */
function failing<T>(method: 'read' | 'closeSync' | 'fstatSync', body: () => Promise<T>): Promise<T> {
  const original = fs[method] as (...args: unknown[]) => unknown;
  const error = Object.assign(new Error('EIO: spec'), { code: 'EIO' });
  const replaced = {
    read: (...args: unknown[]) => (args.at(-1) as (error: Error) => void)(error),
    closeSync(...args: unknown[]) {
      original(...args);
      throw error;
    },
    fstatSync() {
      throw error;
    },
  };
  return replacing(method, replaced[method], body);
}

/** Replaces a function of `node:fs` while `body` runs. */
async function replacing<T>(method: keyof typeof fs, replaced: unknown, body: () => Promise<T>): Promise<T> {
  const original = fs[method];
  Object.assign(fs, { [method]: replaced });
  try {
    return await body();
  } finally {
    Object.assign(fs, { [method]: original });
  }
}

async function counting(method: 'fstatSync', body: () => Promise<unknown>): Promise<number> {
  const original = fs[method] as (...args: unknown[]) => unknown;
  let count = 0;
  const counted = (...args: unknown[]): unknown => {
    count++;
    return original(...args);
  };
  await replacing(method, counted, body);
  return count;
}

/** Requests `path` with a client that pauses for 1 ms after each chunk. @returns The body. */
async function slowly(listener: RequestListener, path: string): Promise<string> {
  return serving(listener, async (port) => {
    const asked = http.get({ port, path, agent: false });
    const [res] = (await once(asked, 'response')) as [IncomingMessage];
    const pieces: Buffer[] = [];
    for await (const piece of res) {
      pieces.push(piece);
      await delay(1);
    }
    return Buffer.concat(pieces).toString();
  });
}
