import { AsyncLocalStorage } from 'node:async_hooks';
import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import express3 from 'nozomi/3';
import request from 'supertest';
import { MULTIPART, multipartBody, type Part } from '../../../parity/client/multipart';
import { muteDeprecations } from '../../support/both';
import { chain, show } from '../../support/chain';
import { uploadFolder } from '../../support/uploads';

type Options = Parameters<typeof express3.multipart>[0];
type Shown = { body: unknown; files: Record<string, File> };
type File = { path: string; name: string; originalFilename: string; size: number; [member: string]: unknown };

/** Uploads these parts. @returns `req.body` and `req.files`, as JSON restores them. */
async function upload(options: Options, ...parts: Part[]): Promise<Shown> {
  const app = chain(
    express3.multipart(options),
    show(({ body, files }) => ({ body, files })),
  );
  const res = await request(createServer(app))
    .post('/')
    .type(MULTIPART)
    .send(multipartBody(...parts));
  expect(res.status, res.text).to.equal(200);
  return res.body;
}

/** Whether an object in a value has a prototype other than that of `Object`, `Array` or `Date`. */
function hasForeignPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  const isOwn = [Object.prototype, Array.prototype, Date.prototype].includes(prototype);
  return !isOwn || Object.values(value).some(hasForeignPrototype);
}

const hello: Part = { name: 'f', filename: 'hello.txt', type: 'text/plain', value: 'hello' };

describe('nozomi/3, express.multipart()', () => {
  muteDeprecations();

  proves('F-9.3-37 F-9.3-38 F-9.3-40');
  it('creates files with size, name and type, that only their owner can read', async () => {
    const { files } = await upload({ uploadDir: uploadFolder().uploadDir }, hello);

    expect(files.f).to.include({ size: 5, name: 'hello.txt', type: 'text/plain', fieldName: 'f' });
    expect(statSync(files.f?.path as string).mode & 0o777).to.equal(0o600);
  });

  proves('F-9.3-36');
  it('lists files of one field in the order of their arrival', async () => {
    const { uploadDir } = uploadFolder();
    const big = { ...hello, filename: 'big.txt', value: 'x'.repeat(300_000) };
    const { files } = await upload({ uploadDir }, big, hello);

    expect((files.f as unknown as File[]).map(({ name, size }) => [name, size])).to.deep.equal([
      ['big.txt', 300_000],
      ['hello.txt', 5],
    ]);
  });

  proves('F-9.3-39');
  it("removes folders from the client's file name", async () => {
    const { uploadDir, names } = uploadFolder();
    for (const filename of ['../../etc/passwd', 'C:\\\\boot\\\\passwd', '/passwd']) {
      const { files } = await upload({ uploadDir, keepExtensions: true }, { ...hello, filename });

      expect(files.f?.name).to.equal('passwd');
      expect(dirname(files.f?.path as string)).to.equal(uploadDir);
    }
    expect(names()).to.have.length(3);
  });

  proves('F-9.3-41');
  it('adds no hash without the option hash, which throws for an unknown algorithm', async () => {
    const { files } = await upload({ uploadDir: uploadFolder().uploadDir }, hello);

    expect(files.f).not.to.have.property('hash');
    expect(() => express3.multipart({ hash: 'none-such' })).to.throw();
  });

  proves('F-9.3-43');
  it('keeps safe characters of the original extension if keepExtensions is set', async () => {
    const { uploadDir } = uploadFolder();
    const extensionOf = async (filename: string, keepExtensions?: boolean): Promise<string> => {
      const { files } = await upload({ uploadDir, keepExtensions }, { ...hello, filename });
      return extname(files.f?.path as string);
    };

    expect(await extensionOf('a.txt')).to.equal('');
    expect(await extensionOf('a.txt', true)).to.equal('.txt');
    expect(await extensionOf('a.t x', true)).to.equal('');
    expect(await extensionOf(`a.${'x'.repeat(40)}`, true)).to.equal('');
  });

  proves('CVE-2026-5079 CVE-2026-8161 F-9.3-35 F-9.3-36');
  it('changes no prototype, for any names of fields', async () => {
    const members = Object.getOwnPropertyNames(Object.prototype).join();
    const key = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'a', 'b', '0');
    const name = fc
      .tuple(key, fc.array(key, { maxLength: 3 }))
      .map(([root, keys]) => root + keys.map((one) => `[${one}]`).join(''));
    const { uploadDir } = uploadFolder();
    const app = chain(
      express3.multipart({ uploadDir }),
      show(({ body, files }) => [hasForeignPrototype(body), hasForeignPrototype(files)]),
    );

    await fc.assert(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 6 }), async (names) => {
        const parts = names.flatMap((one) => [
          { name: one, value: '1' },
          { ...hello, name: one },
        ]);
        const res = await request(createServer(app))
          .post('/')
          .type(MULTIPART)
          .send(multipartBody(...parts));

        expect([res.status, res.body]).to.deep.equal([200, [false, false]]);
        expect(Object.getOwnPropertyNames(Object.prototype).join()).to.equal(members);
      }),
      { numRuns: 30 },
    );
  });

  proves('F-9.3-36');
  it('keeps the async context in the next handler', async () => {
    const { uploadDir } = uploadFolder();
    const context = new AsyncLocalStorage<string>();
    const app = chain(
      (_req, _res, next) => context.run('caller', next),
      express3.multipart({ uploadDir }),
      show(() => context.getStore() ?? 'lost'),
    );

    await request(app).post('/').type(MULTIPART).send(multipartBody(hello)).expect(200, '"caller"');
  });

  proves('CVE-2026-5079 CVE-2026-8161 F-9.3-35');
  it('calls next(err) for a name that is nested too deeply', async () => {
    const { uploadDir, names } = uploadFolder();
    const app = chain(
      express3.multipart({ uploadDir }),
      show(() => 'taken'),
    );
    const deep = { name: `a${'[b]'.repeat(40)}`, value: '1' };

    await request(app).post('/').type(MULTIPART).send(multipartBody(hello, deep)).expect(400);
    expect(names()).to.deep.equal([]);
  });
});

proves('F-9.3-36');
describe('nozomi/3, express.multipart({ defer: true })', () => {
  muteDeprecations();

  type Form = NodeJS.EventEmitter;
  type Deferred = { form: Form; files: object; body: object };

  it('req.form emits field, file and progress, and finally close', async () => {
    const { uploadDir } = uploadFolder();
    const app = chain(express3.multipart({ defer: true, uploadDir }), ((
      req: Deferred,
      res: { end(text: string): void },
    ) => {
      const told: unknown[] = [];
      let received = 0;
      req.form.on('field', (name, value) => told.push([name, value]));
      req.form.on('file', (name, { size }) => told.push([name, size]));
      req.form.on('progress', (bytes) => {
        received = bytes;
      });
      req.form.on('close', () => res.end(JSON.stringify([told, received, req.body, req.files])));
    }) as never);
    const body = multipartBody({ name: 'a', value: '1' }, hello);

    const res = await request(app).post('/').type(MULTIPART).send(body);

    expect(JSON.parse(res.text)).to.deep.equal([
      [
        ['a', '1'],
        ['f', 5],
      ],
      body.length,
      { a: '1' },
      {},
    ]);
  });

  it('req.form emits a part as a stream if it has a listener, otherwise discards the part', async () => {
    const { uploadDir, names } = uploadFolder();
    const app = (listens: boolean) =>
      chain(express3.multipart({ defer: true, uploadDir }), ((
        req: Deferred,
        res: { end(text: string): void },
      ) => {
        let text = '';
        if (listens) {
          req.form.on('part', (part) => {
            text += `${part.name} ${part.filename} `;
            part.on('data', (chunk: Buffer) => {
              text += chunk;
            });
          });
        }
        req.form.on('close', () => res.end(text));
      }) as never);

    await request(app(true)).post('/').type(MULTIPART).send(multipartBody(hello)).expect('f hello.txt hello');
    await request(app(false)).post('/').type(MULTIPART).send(multipartBody(hello)).expect('');
    expect(names()).to.deep.equal([]);
  });

  it('req.form emits error, without a second call of next()', async () => {
    const app = chain(express3.multipart({ defer: true }), ((
      req: Deferred,
      res: { end(text: string): void },
    ) => {
      req.form.on('error', (err) => res.end(`${err.status} ${err.message}`));
    }) as never);

    await request(app).post('/').type(MULTIPART).send('nothing').expect('400 stream ended unexpectedly');
  });
});
