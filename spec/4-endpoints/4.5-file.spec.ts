import { rmSync, truncateSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import type { RequestHandler } from 'express';
import framework from 'nozomi';
import request from 'supertest';
import { filesOf } from '../support/files';
import { serving } from '../support/serve';

const FILES = join(__dirname, '../../fixtures/files');
const FILE = join(FILES, 'hello.txt');
const LETTERS = join(FILES, 'shelf/letters.txt');
const TEXT = 'Hello from a file.\n';

type Failure = (Error & { code?: string; status?: number; syscall?: string }) | undefined;

function appOf(handler: RequestHandler) {
  const app = framework();
  app.set('env', 'test').get('/', handler);
  app.use((_req, res) => void res.status(404).send('nobody else'));
  return app;
}

describe('res.sendFile() (§4.5)', () => {
  it('sends a file with Content-Type, Content-Length, Last-Modified and ETag [F-4.5-76 F-4.5-77]', async () => {
    const res = await request(appOf((_req, some) => some.sendFile(FILE))).get('/');

    expect(res.headers).to.include({ 'content-type': 'text/plain; charset=utf-8', 'accept-ranges': 'bytes' });
    expect(res.headers).to.include.keys('last-modified', 'etag', 'cache-control');
    expect(res.headers['content-length']).to.equal(String(Buffer.byteLength(res.text)));
  });

  it('keeps a type that the handler has set [F-4.5-77]', async () => {
    const res = await request(appOf((_req, some) => some.type('text/x-own').sendFile(FILE))).get('/');

    expect(res.headers['content-type']).to.equal('text/x-own; charset=utf-8');
  });

  const REFUSED: ReadonlyArray<[args: unknown[], message: string]> = [
    [['hello.txt'], 'path must be absolute or specify root to res.sendFile'],
    [[undefined], 'path argument is required to res.sendFile'],
    [[''], 'path argument is required to res.sendFile'],
    [[['/etc']], 'path must be a string to res.sendFile'],
    [[42], 'path must be a string to res.sendFile'],
  ];
  for (const [args, message] of REFUSED) {
    it(`throws "${message}" for the arguments ${JSON.stringify(args)} [F-4.5-76]`, async () => {
      const app = appOf((_req, res) => (res.sendFile as (...all: unknown[]) => void)(...args));

      const res = await request(app).get('/');

      expect(res.status).to.equal(500);
      expect(res.text).to.include(`TypeError: ${message}`);
    });
  }

  it('sends a path with .. that stays inside the root [F-4.5-80]', async () => {
    const app = appOf((_req, res) => res.sendFile('shelf/../hello.txt', { root: FILES }));

    const res = await request(app).get('/');

    expect(res.text).to.equal(TEXT);
  });

  it('responds 403 to a path that leads outside the root [F-4.5-81]', async () => {
    const app = appOf((_req, res) => res.sendFile('../../package.json', { root: FILES }));

    const res = await request(app).get('/');

    expect(res.status).to.equal(403);
    expect(res.text).to.include('ForbiddenError: Forbidden');
  });

  it('calls the callback when the file has been sent [F-4.5-78]', async () => {
    const told: unknown[] = [];
    const app = appOf((_req, res) => res.sendFile(FILE, (...args) => told.push(args, res.headersSent)));

    const res = await request(app).get('/');

    expect(res.text).to.equal(TEXT);
    expect(told).to.deep.equal([[undefined], true]);
  });

  it('accepts a callback after options, and calls it for HEAD and for 304 [F-4.5-78]', async () => {
    const told: unknown[] = [];
    const app = appOf((_req, res) => res.sendFile('hello.txt', { root: FILES }, (err) => told.push(err)));

    const headed = await request(app).head('/');
    const fresh = await request(app).get('/').set('If-None-Match', '*');

    expect([headed.status, fresh.status]).to.deep.equal([200, 304]);
    expect(told).to.deep.equal([undefined, undefined]);
  });

  const FAILURES: ReadonlyArray<
    [title: string, path: string, code: string | undefined, status: number | undefined]
  > = [
    ['what is missing', 'missing.txt', 'ENOENT', 404],
    ['a directory', 'shelf', 'EISDIR', undefined],
    ['what is below a file', 'hello.txt/inside', 'ENOTDIR', 404],
    ['a hidden file', 'shelf/.hidden', undefined, 404],
    ['what is outside', '../views/page.ejs', undefined, 403],
  ];
  for (const [title, path, code, status] of FAILURES) {
    it(`calls the callback once with ${title}, and sends no response [F-4.5-79 F-7-20]`, async () => {
      const told: Failure[] = [];
      const app = appOf((_req, res) => {
        res.sendFile(path, { root: FILES }, (err) => {
          told.push(err);
          res.send(`told, sent: ${res.headersSent}`);
        });
      });

      const res = await request(app).get('/');

      expect(res.text).to.equal('told, sent: false');
      expect(told.map((err) => [err?.code, err?.status])).to.deep.equal([[code, status]]);
    });
  }

  it('passes an error to the error handlers without a callback [F-4.5-79]', async () => {
    const res = await request(appOf((_req, some) => some.sendFile(join(FILES, 'missing.txt')))).get('/');

    expect(res.status).to.equal(404);
    expect(res.text).to.include('Error: ENOENT');
  });

  it('calls the next handler for a directory without a callback [F-4.5-79]', async () => {
    const res = await request(appOf((_req, some) => some.sendFile(join(FILES, 'shelf')))).get('/');

    expect([res.status, res.text]).to.deep.equal([404, 'nobody else']);
  });

  it('calls the callback with ENOENT if the file is deleted after stat [F-4.5-79]', async () => {
    const path = join(filesOf({ 'gone.txt': 'soon gone' }), 'gone.txt');
    const app = appOf((_req, res) => {
      const setHeader = res.setHeader.bind(res);
      // The package send sets headers after stat and before open.
      res.setHeader = (name, value) => {
        if (name === 'Content-Length') rmSync(path, { force: true });
        return setHeader(name, value);
      };
      res.sendFile(path, (err?: Failure) => res.send(`told ${err?.code}, sent: ${res.headersSent}`));
    });

    const res = await request(app).get('/');

    expect(res.text).to.equal('told ENOENT, sent: false');
  });

  it('calls the callback with ECONNABORTED if the client disconnects after the headers were sent [F-7-21]', async () => {
    const { told } = await leave((path, tell) => (_req, res) => {
      res.sendFile(path, (err?: Failure) => tell([err?.code, err?.message, res.headersSent]));
    });

    expect(told).to.deep.equal(['ECONNABORTED', 'Request aborted', true]);
  });

  it('reports no error without a callback if the client disconnects [F-7-21]', async () => {
    const { told, errors } = await leave((path, tell) => (_req, res) => {
      res.on('close', () => setImmediate(() => tell('closed')));
      res.sendFile(path);
    });

    expect(told).to.equal('closed');
    expect(errors).to.deep.equal([]);
  });

  it('calls the callback with ECONNABORTED if the client disconnects before stat [F-7-21]', async () => {
    const { told } = await leave((path, tell) => (req, res) => {
      req.socket.destroy();
      res.on('close', () => res.sendFile(path, (err?: Failure) => tell(err?.code)));
    });

    expect(told).to.equal('ECONNABORTED');
  });

  it('calls the callback with an error if the headers were already sent [F-7-20]', async () => {
    const app = appOf((_req, res) => {
      res.write('begun, ');
      res.sendFile(FILE, (err?: Failure) => res.end(`${err?.status} ${res.headersSent}`));
    });

    const res = await request(app).get('/').buffer(true);

    expect(String(res.text ?? res.body)).to.equal('begun, 500 true');
  });

  it('does not call the error handlers for a failed write without a callback [F-7-21]', async () => {
    const { told, errors } = await leave((path, tell) => (req, res) => {
      res.on('close', () => setImmediate(() => tell('closed')));
      res.sendFile(path);
      const failure = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' });
      res.once('pipe', () => req.socket.destroy(failure));
    });

    expect(told).to.equal('closed');
    expect(errors).to.deep.equal([]);
  });
});

describe('res.sendFile(), ranges and conditional requests (§4.5)', () => {
  const app = () => appOf((_req, res) => res.sendFile(LETTERS));

  const RANGES: ReadonlyArray<[range: string, status: number, range: string | undefined, body: string]> = [
    ['bytes=0-4', 206, 'bytes 0-4/26', 'abcde'],
    ['bytes=-3', 206, 'bytes 23-25/26', 'xyz'],
    ['bytes=20-', 206, 'bytes 20-25/26', 'uvwxyz'],
    ['bytes=0-4,5-9', 206, 'bytes 0-9/26', 'abcdefghij'],
    ['bytes=0-1,20-21', 200, undefined, 'abcdefghijklmnopqrstuvwxyz'],
    ['bytes=26-', 416, 'bytes */26', ''],
    ['bytes=5-2', 416, 'bytes */26', ''],
    ['letters=0-4', 200, undefined, 'abcdefghijklmnopqrstuvwxyz'],
    ['nonsense', 200, undefined, 'abcdefghijklmnopqrstuvwxyz'],
  ];
  for (const [range, status, wanted, body] of RANGES) {
    it(`responds ${status} to Range: ${range} [F-2.9-11]`, async () => {
      const res = await request(app()).get('/').set('Range', range);

      expect([res.status, res.headers['content-range']]).to.deep.equal([status, wanted]);
      if (status < 400) expect(res.text).to.equal(body);
    });
  }

  it('sends the whole file for If-Range with another ETag [F-2.9-11]', async () => {
    const { headers } = await request(app()).get('/');

    const [same, other] = [
      await request(app())
        .get('/')
        .set('Range', 'bytes=0-4')
        .set('If-Range', headers['last-modified'] as string),
      await request(app()).get('/').set('Range', 'bytes=0-4').set('If-Range', '"other"'),
    ];

    expect([same.status, other.status]).to.deep.equal([206, 200]);
  });

  it('responds 304 and 412 to conditional requests [F-2.9-05]', async () => {
    const { headers } = await request(app()).get('/');
    const date = headers['last-modified'] as string;
    const ask = async (name: string, value: string) =>
      (await request(app()).get('/').set(name, value)).status;

    expect(await ask('If-None-Match', headers.etag as string)).to.equal(304);
    expect(await ask('If-Modified-Since', date)).to.equal(304);
    expect(await ask('If-Match', '"other"')).to.equal(412);
    expect(await ask('If-Unmodified-Since', new Date(0).toUTCString())).to.equal(412);
  });

  it('the setting etag controls the ETag of files [F-4.5-76]', async () => {
    const without = appOf((_req, res) => res.sendFile(FILE, { etag: true }));
    without.disable('etag');

    const res = await request(without).get('/');

    expect(res.headers).not.to.have.property('etag');
  });
});

describe('res.download() (§4.5)', () => {
  it('sends a file as a download with the name of the file [F-4.5-16 F-4.5-17]', async () => {
    const res = await request(appOf((_req, some) => some.download(FILE))).get('/');

    expect(res.headers).to.include({
      'content-disposition': 'attachment; filename=hello.txt',
      'content-type': 'text/plain; charset=utf-8',
    });
    expect(res.text).to.equal(TEXT);
  });

  it('sends the last segment of the argument filename, and the type of the file [F-4.5-18]', async () => {
    const res = await request(appOf((_req, some) => some.download(FILE, '../a b.html'))).get('/');

    expect(res.headers).to.include({
      'content-disposition': 'attachment; filename="a b.html"',
      'content-type': 'text/plain; charset=utf-8',
    });
  });

  it('resolves a relative path against the option root, or the working directory [F-4.5-19 F-4.5-20]', async () => {
    const here = appOf((_req, res) => res.download(relative(process.cwd(), FILE)));
    const root = appOf((_req, res) => res.download('hello.txt', 'a.txt', { root: FILES }));

    const [from, below] = [await request(here).get('/'), await request(root).get('/')];

    expect([from.text, below.text]).to.deep.equal([TEXT, TEXT]);
  });

  const own = { headers: { 'X-Own': 'yes' } };
  const FORMS: Readonly<Record<string, (args: { done: () => void }) => unknown[]>> = {
    '(path, fn)': ({ done }) => [FILE, done],
    '(path, filename, fn)': ({ done }) => [FILE, 'name.txt', done],
    '(path, options, fn)': ({ done }) => [FILE, own, done],
    '(path, filename, options, fn)': ({ done }) => [FILE, 'name.txt', own, done],
    '(path, null, fn)': ({ done }) => [FILE, null, done],
    '(path, undefined, options, fn)': ({ done }) => [FILE, undefined, own, done],
  };
  for (const [form, argumentsWith] of Object.entries(FORMS)) {
    it(`accepts ${form}, and calls the callback [F-4.5-21 F-4.5-22]`, async () => {
      const told: unknown[] = [];
      const args = argumentsWith({ done: (...all: unknown[]) => void told.push(...all) });
      const app = appOf((_req, res) => (res.download as (...all: unknown[]) => void)(...args));

      const res = await request(app).get('/');

      expect(res.headers['content-disposition']).to.equal(
        `attachment; filename=${form.includes('filename') ? 'name' : 'hello'}.txt`,
      );
      expect(res.headers['x-own']).to.equal(form.includes('options') ? 'yes' : undefined);
      expect(told).to.deep.equal([undefined]);
    });
  }

  it('accepts (path, options), and does not change the options [F-4.5-21]', async () => {
    const given = Object.freeze({ maxAge: 60_000, headers: Object.freeze({ 'X-Own': 'yes' }) });
    const app = appOf((_req, res) => res.download(FILE, given as never));

    const res = await request(app).get('/');

    expect(res.status).to.equal(500);
    expect(res.text).to.include('Cannot assign to read only property');
  });

  it('passes errors to the callback [F-4.5-23]', async () => {
    const app = appOf((_req, res) =>
      res.download('missing', 'a.txt', { root: FILES }, (err?: Failure) => {
        res.status(410).send(`${err?.code} ${res.get('Content-Disposition')}`);
      }),
    );

    const res = await request(app).get('/');

    expect([res.status, res.text]).to.deep.equal([410, 'ENOENT undefined']);
  });
});

/**
 * Requests a large file with a client that disconnects during the transfer.
 *
 * @returns What the handler passed to `tell`, and the errors that reached the error handler.
 */
async function leave(handlerFor: (path: string, tell: (what: unknown) => void) => RequestHandler) {
  const path = join(filesOf({ 'large.bin': '' }), 'large.bin');
  truncateSync(path, 64 * 1024 * 1024);
  const errors: unknown[] = [];
  let tell: (what: unknown) => void = () => undefined;
  const told = new Promise((resolve) => {
    tell = resolve;
  });
  const app = appOf(handlerFor(path, tell));
  app.use((err: unknown, _req: unknown, _res: unknown, next: (err: unknown) => void) => {
    errors.push(err);
    next(err);
  });
  return serving(createServer(app), async (port) => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    socket.once('data', () => socket.destroy()).on('error', () => undefined);
    return { told: await told, errors };
  });
}
