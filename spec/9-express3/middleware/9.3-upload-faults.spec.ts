/** Uploads that are too large, malformed or aborted. No file of theirs may remain on the disk or open. */
import { pbkdf2 } from 'node:crypto';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import express3 from 'nozomi/3';
import request, { type Test } from 'supertest';
import { MULTIPART, multipartBody, type Part } from '../../../parity/client/multipart';
import { muteDeprecations } from '../../support/both';
import { chain, type Seen, show } from '../../support/chain';
import { descriptors } from '../../support/descriptors';
import { close, portOf, serverOf } from '../../support/serve';
import { until } from '../../support/until';
import { uploadFolder } from '../../support/uploads';

const file = (value: string | Buffer): Part => ({ name: 'f', filename: 'a.bin', value });
const field = (value: string): Part => ({ name: 'a', value });

/** An application that uploads to a folder of its own. `send` uploads a body; `names` lists the files that remain. */
function uploading(options: object = {}, pick: (req: Seen) => unknown = () => 'taken') {
  const { uploadDir, names } = uploadFolder();
  const app = chain(express3.multipart({ uploadDir, ...options }), show(pick));
  const send = (body: Buffer | string, type = MULTIPART): Test =>
    request(app).post('/').set('Content-Type', type).send(body);
  return { app, names, send };
}

proves('F-9.3-34');
describe('nozomi/3, express.multipart(), limits', () => {
  muteDeprecations();

  const cases: Array<[limit: string, options: object, parts: Part[], message: string, status: number]> = [
    ['limit', { limit: '1kb' }, [file('x'), file('x'.repeat(2000))], 'Payload Too Large', 413],
    ['maxFields', { maxFields: 2 }, [field('1'), file('2'), field('3')], 'maxFields 2 exceeded.', 400],
    [
      'maxFieldsSize',
      { maxFieldsSize: 9 },
      [file('x'), field('x'.repeat(10))],
      'maxFieldsSize 9 exceeded',
      400,
    ],
    [
      'maxFieldsSize of all',
      { maxFieldsSize: 9 },
      [file('x'), field('x'.repeat(5)), field('y'.repeat(5))],
      'maxFieldsSize 9 exceeded',
      400,
    ],
    ['maxFiles', { maxFiles: 1 }, [file('1'), file('2'), file('3')], 'maxFiles 1 exceeded', 400],
    [
      'maxFilesSize',
      { maxFilesSize: 99 },
      [file('x'.repeat(60)), file('x'.repeat(60))],
      'maxFilesSize 99 exceeded',
      400,
    ],
  ];
  for (const [limit, options, parts, message, status] of cases) {
    it(`responds ${status} to more than ${limit}, removes the written files, and accepts exactly ${limit}`, async () => {
      const { send, names } = uploading(options);

      const res = await send(multipartBody(...parts));

      expect([res.status, res.body.message]).to.deep.equal([status, message]);
      expect(names()).to.deep.equal([]);
      await send(multipartBody(...parts.slice(0, 1))).expect(200);
    });
  }

  it('responds 413 to a chunked body that exceeds limit', async () => {
    const { app, names } = uploading({ limit: 1000 });
    const asked = request(app).post('/').type(MULTIPART).set('Transfer-Encoding', 'chunked');
    asked.write(multipartBody(file('x'.repeat(800))).subarray(0, 800) as never);
    asked.write('x'.repeat(800) as never);

    const res = await asked;

    expect([res.status, names()]).to.deep.equal([413, []]);
  });

  it('accepts at most a hundred files by default', async () => {
    const { send, names } = uploading(
      { maxFields: undefined, maxFiles: undefined },
      ({ files }) => files.f.length,
    );
    const parts = Array.from({ length: 101 }, (_, index) => file(`${index}`));

    await send(multipartBody(...parts.slice(1))).expect(200, '100');
    expect(names()).to.have.length(100);
    await send(multipartBody(...parts)).expect(400);
    expect(names()).to.have.length(100);
  });

  it('throws for an option limit that is not a number of bytes', () => {
    expect(() => express3.multipart({ limit: 'much' })).to.throw('limit() bytes required');
  });
});

proves('F-9.3-34');
describe('nozomi/3, express.multipart(), malformed bodies', () => {
  muteDeprecations();

  const whole = multipartBody(file('x'.repeat(50)), field('1')).toString();
  const cases: Array<[what: string, type: string, body: string, message: string]> = [
    ['has no boundary', 'multipart/form-data', whole, 'content-type missing boundary: null'],
    [
      'is of another type',
      'multipart/mixed; boundary=b',
      whole,
      'unrecognized content-type: multipart/mixed; boundary=b',
    ],
    ['ends in a file', MULTIPART, whole.slice(0, 120), 'stream ended unexpectedly'],
    ['ends between parts', MULTIPART, whole.slice(0, -6), 'stream ended unexpectedly'],
    ['ends in a head', MULTIPART, whole.slice(0, 40), 'stream ended unexpectedly'],
    ['is of another boundary', MULTIPART, whole.replaceAll('parity', 'another'), 'stream ended unexpectedly'],
    [
      'has a head that is none',
      MULTIPART,
      whole.replaceAll('Content-Disposition:', 'Content Disposition '),
      'Malformed part header',
    ],
  ];
  for (const [what, type, body, message] of cases) {
    it(`responds 400 to a body that ${what}, and removes the written files`, async () => {
      const { send, names } = uploading();

      const res = await send(body, type);

      expect([res.status, res.body.message]).to.deep.equal([400, message]);
      expect(names()).to.deep.equal([]);
    });
  }

  it('removes a file that is opened only after the body has failed', async () => {
    const { send, names } = uploading();
    const body = whole.slice(0, 120);

    for (let round = 0; round < 100; round++) {
      // Other work of the thread pool delays the opening of files.
      for (let task = 0; task < round % 12; task++) pbkdf2('a', 'b', 1000, 32, 'sha1', () => {});

      await send(body).expect(400);

      expect(names()).to.deep.equal([]);
    }
  });

  it('responds 200 or 400 to any damaged body, and keeps only files of valid forms', async () => {
    const { app, names } = uploading({}, ({ files }) => Object.values(files).flat().length);
    const good = multipartBody(file('x'.repeat(30)), field('1'), file(''));
    const open = descriptors();
    let kept = 0;

    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 0, max: 255 })), { maxLength: 4 }),
        fc.nat(good.length),
        async (changes, length) => {
          const body = Buffer.from(good.subarray(0, length));
          for (const [at, byte] of changes) if (at < body.length) body[at] = byte;

          const res = await request(createServer(app)).post('/').type(MULTIPART).send(body);

          expect(res.status).to.be.oneOf([200, 400]);
          if (res.status === 200) kept = names().length;
          expect(names()).to.have.length(kept);
        },
      ),
      { numRuns: 60 },
    );
    await until(() => descriptors() <= open);
  });
});

proves('F-9.3-34');
describe('nozomi/3, express.multipart(), clients that disconnect', () => {
  muteDeprecations();

  it('closes and removes the files of the upload, and calls next(err)', async () => {
    const { uploadDir, names } = uploadFolder();
    const errors: Error[] = [];
    const server = await serverOf((req, res) => {
      express3.multipart({ uploadDir })(req, res, (err) => {
        if (err) errors.push(err as Error);
        res.end();
      });
    });
    const open = descriptors();
    const body = multipartBody(file('a'.repeat(100_000)), file('b'.repeat(500_000)));
    const socket = connect(portOf(server), '127.0.0.1');
    socket.write(
      `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${MULTIPART}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body.subarray(0, 400_000));
    await until(() => names().length === 2);

    socket.destroy();
    await until(() => errors.length === 1);

    expect(errors.map(({ message }) => message)).to.deep.equal(['Request aborted']);
    expect(names()).to.deep.equal([]);
    await until(() => descriptors() <= open);
    await close(server);
  });

  proves('CVE-2025-47935 CVE-2026-3304 CVE-2026-2359 CVE-2026-5038');
  it('leaves no file whenever the client disconnects, and serves the next client', async () => {
    const { uploadDir, names } = uploadFolder();
    let [begun, over] = [0, 0];
    const parse = express3.multipart({ uploadDir, hash: 'md5' });
    const server = await serverOf((req, res) => {
      begun++;
      parse(req, res, (err) => {
        over++;
        res.statusCode = err ? 400 : 200;
        res.end();
      });
    });
    const open = descriptors();
    const body = multipartBody(file('a'.repeat(40_000)), field('1'), file('b'.repeat(40_000)));
    const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${MULTIPART}\r\nContent-Length: ${body.length}\r\n\r\n`;

    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), async (length) => {
        const before = begun;
        const socket = connect(portOf(server), '127.0.0.1');
        socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, length)]));
        await until(() => begun > before);
        socket.destroy();
        await until(() => over === begun);

        expect(names()).to.deep.equal([]);
      }),
      { numRuns: 25 },
    );

    await request(server).post('/').type(MULTIPART).send(body).expect(200);
    expect(names()).to.have.length(2);
    await until(() => descriptors() <= open + 2);
    await close(server);
  });
});

describe('nozomi/3, express.multipart(), errors of the disk', () => {
  muteDeprecations();

  proves('F-9.3-44');
  it('calls next(err) with status 500 if the folder does not exist', async () => {
    const { send } = uploading({ uploadDir: join(uploadFolder().uploadDir, 'none') });

    const res = await send(multipartBody(file('x'), file('y')));

    expect([res.status, res.body.code]).to.deep.equal([500, 'ENOENT']);
  });
});
