import { expect } from 'chai';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import framework from 'nozomi';
import request from 'supertest';
import { get, head } from '../../parity/client/request';
import { type Framework, play, playBoth } from '../support/both';

function appOf(handler: RequestHandler) {
  const app = framework();
  app.set('env', 'test').get('/', handler);
  return app;
}

describe('res.send() (§4.5)', () => {
  it('sends a string as HTML in UTF-8, with its length in bytes [F-4.5-68 F-4.5-73]', async () => {
    const app = appOf((_req, res) => res.send('grün'));

    const res = await request(app).get('/');

    expect(res.headers).to.include({ 'content-type': 'text/html; charset=utf-8', 'content-length': '5' });
    expect(res.text).to.equal('grün');
  });

  it('keeps the Content-Type that the handler set for a string, but sets its charset to utf-8 [F-4.5-68]', async () => {
    const app = appOf((_req, res) => res.set('Content-Type', 'text/x; charset=latin1; a=b').send('grün'));

    const res = await request(app).get('/');

    expect(res.headers['content-type']).to.equal('text/x; charset=utf-8; a=b');
    expect(res.text).to.equal('grün');
  });

  it('keeps an empty Content-Type that the handler set, as Express does [F-4.5-68]', async () => {
    const { reference, build } = await playBoth((implementation) => {
      const app = implementation();
      app.get('/', (_req, res) => {
        res.setHeader('Content-Type', '');
        res.send('text');
      });
      return app;
    }, get('/'));

    expect(build).to.deep.equal(reference);
    expect(build[0]).to.include('Content-Type: false');
  });

  it('sends bytes as application/octet-stream [F-4.5-66]', async () => {
    const app = appOf((_req, res) => res.send(Buffer.from([1, 2, 255])));

    const res = await request(app).get('/').buffer(true).parse(inBytes);

    expect(res.headers).to.include({ 'content-type': 'application/octet-stream', 'content-length': '3' });
    expect(res.body).to.deep.equal(Buffer.from([1, 2, 255]));
  });

  for (const setting of [true, false]) {
    it(`sends a DataView as no bytes, as Express does, with etag ${setting} [F-4.5-66]`, async () => {
      const { reference, build } = await playBoth(
        (implementation) => {
          const app = implementation();
          app.set('env', 'test').set('etag', setting);
          app.get('/view', (_req, res) => res.send(new DataView(new ArrayBuffer(3))));
          app.get('/symbol', (_req, res) => res.send(Symbol('body')));
          app.use(((err, _req, res, _next) =>
            res.status(500).json(err.message)) satisfies ErrorRequestHandler);
          return app;
        },
        get('/view'),
        get('/symbol'),
      );

      expect(build).to.deep.equal(reference);
      expect(build[0]).to.include('Content-Length: 0');
    });
  }

  it('keeps the Content-Type that the handler set for bytes [F-4.5-67]', async () => {
    const app = appOf((_req, res) => res.type('png').send(Buffer.from('x')));

    const res = await request(app).get('/');

    expect(res.headers['content-type']).to.equal('image/png');
  });

  it('sends the bytes of any typed array [F-4.5-66]', async () => {
    const app = appOf((_req, res) => res.send(new Uint8Array([104, 105])));

    const res = await request(app).get('/').buffer(true).parse(inBytes);

    expect(res.headers['content-type']).to.equal('application/octet-stream');
    expect(String(res.body)).to.equal('hi');
  });

  const JSON_BODIES: Readonly<Record<string, unknown>> = {
    'an object [F-4.5-69]': { a: [1] },
    'a list [F-4.5-70]': [1, 'two'],
    'a boolean [F-4.5-71]': false,
    'a number, which sets no status [F-4.5-71]': 404,
  };
  for (const [title, body] of Object.entries(JSON_BODIES)) {
    it(`sends as JSON: ${title}`, async () => {
      const app = appOf((_req, res) => res.send(body));

      const res = await request(app).get('/');

      expect(res.status).to.equal(200);
      expect(res.headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(res.text).to.equal(JSON.stringify(body));
    });
  }

  it('sends neither Content-Type nor ETag without a body [F-4.5-72]', async () => {
    const app = appOf((_req, res) => res.send());

    const res = await request(app).get('/');

    expect(res.status).to.equal(200);
    expect(res.headers).not.to.have.any.keys('content-type', 'etag');
    expect(res.text).to.equal('');
  });

  it('sends null as an empty body without Content-Type [F-4.5-71]', async () => {
    const app = appOf((_req, res) => res.send(null));

    const res = await request(app).get('/');

    expect(res.headers['content-length']).to.equal('0');
    expect(res.headers).not.to.have.property('content-type');
  });

  it('passes a short string to Node.js as a string if the response needs no ETag [F-4.5-73]', async () => {
    const written: unknown[] = [];
    const app = appOf((_req, res) => {
      const end = res.end.bind(res) as (...args: unknown[]) => typeof res;
      res.end = (...args: unknown[]) => {
        written.push(...args);
        return end(...args);
      };
      res.send('grün');
    });
    app.disable('etag');

    const res = await request(app).get('/');

    expect(written).to.deep.equal(['grün', 'utf8']);
    expect(res.headers['content-length']).to.equal('5');
    expect(res.headers).not.to.have.property('etag');
  });

  it('omits Content-Length if the handler set Transfer-Encoding [F-4.5-73]', async () => {
    const app = appOf((_req, res) => res.set('Transfer-Encoding', 'chunked').send('text'));

    const res = await request(app).get('/');

    expect(res.headers['transfer-encoding']).to.equal('chunked');
    expect(res.headers).not.to.have.property('content-length');
    expect(res.text).to.equal('text');
  });

  it('responds to HEAD with the headers of GET and no body [F-4.5-74]', async () => {
    const app = appOf((_req, res) => res.send('text'));

    const [got, headed] = await play(app, [get('/'), head('/')]);

    expect(headed?.slice(0, -3)).to.deep.equal(got?.slice(0, -3));
    expect([got?.at(-3), headed?.at(-3)]).to.deep.equal(['text', '']);
  });

  it('responds 304 without a body if the request is fresh [F-4.5-75]', async () => {
    const app = appOf((_req, res) => res.set('ETag', '"v1"').send('hello'));

    const res = await request(app).get('/').set('If-None-Match', '"v1"');

    expect(res.status).to.equal(304);
    expect(res.text).to.equal('');
    expect(res.headers).to.include({ etag: '"v1"' });
    expect(res.headers).not.to.have.any.keys('content-type', 'content-length', 'transfer-encoding');
  });

  it('responds 304 to a request with the ETag of the last response [F-4.5-75]', async () => {
    const app = appOf((_req, res) => res.send('hello'));

    const { headers } = await request(app).get('/');
    const res = await request(app)
      .get('/')
      .set('If-None-Match', headers.etag as string);

    expect(headers.etag).to.equal('W/"5-qvTGHdzF6KLavt4PO0gs2a6pQ00"');
    expect(res.status).to.equal(304);
  });

  it('sends the body if the request is not fresh, or the status is an error [F-4.5-75]', async () => {
    const app = framework();
    app.get('/', (_req, res) => res.set('ETag', '"v2"').send('hello'));
    app.get('/missing', (_req, res) => res.status(404).set('ETag', '"v1"').send('hello'));

    const stale = await request(app).get('/').set('If-None-Match', '"v1"');
    const missing = await request(app).get('/missing').set('If-None-Match', '"v1"');

    expect([stale.status, stale.text]).to.deep.equal([200, 'hello']);
    expect([missing.status, missing.text]).to.deep.equal([404, 'hello']);
  });

  it('drops the body and its headers for a 204 response [F-4.5-73]', async () => {
    const app = appOf((_req, res) => res.status(204).send('hello'));

    const res = await request(app).get('/');

    expect(res.headers).not.to.have.any.keys('content-type', 'content-length', 'transfer-encoding');
    expect(res.text).to.equal('');
  });

  it('sends Content-Length 0 for a 205 response [F-4.5-73]', async () => {
    const app = appOf((_req, res) => res.status(205).set('Transfer-Encoding', 'chunked').send('hello'));

    const res = await request(app).get('/');

    expect(res.headers['content-length']).to.equal('0');
    expect(res.headers).not.to.have.property('transfer-encoding');
    expect(res.text).to.equal('');
  });
});

describe('res.sendStatus() and res.status() (§4.5)', () => {
  it('res.sendStatus sends the reason phrase as plain text [F-4.5-82 F-7-11]', async () => {
    const app = appOf((_req, res) => res.sendStatus(418));

    const res = await request(app).get('/');

    expect(res.status).to.equal(418);
    expect(res.headers['content-type']).to.equal('text/plain; charset=utf-8');
    expect(res.text).to.equal("I'm a Teapot");
  });

  it('res.sendStatus sends the number of a code without a reason phrase [F-4.5-83 F-7-11]', async () => {
    const app = appOf((_req, res) => res.sendStatus(799));

    const res = await request(app).get('/');

    expect([res.status, res.text]).to.deep.equal([799, '799']);
  });

  it('res.status sets the status and can be chained [F-4.5-87 F-4.5-88]', async () => {
    const app = appOf((_req, res) => res.status(201).status(202).send('x'));

    const res = await request(app).get('/');

    expect(res.status).to.equal(202);
  });

  it('res.status accepts every code from 100 to 999 [F-8-05 F-8-07]', () => {
    const res = Object.create((framework as unknown as Framework).response);

    for (const code of [100, 200, 599, 600, 999]) expect(res.status(code).statusCode).to.equal(code);
  });

  const REFUSED: ReadonlyArray<[unknown, ErrorConstructor, string]> = [
    [99, RangeError, 'Invalid status code: 99. Status code must be greater than 99 and less than 1000.'],
    [1000, RangeError, 'Invalid status code: 1000. Status code must be greater than 99 and less than 1000.'],
    [0, RangeError, 'Invalid status code: 0. Status code must be greater than 99 and less than 1000.'],
    ['200', TypeError, 'Invalid status code: "200". Status code must be an integer.'],
    [200.5, TypeError, 'Invalid status code: 200.5. Status code must be an integer.'],
    [Number.NaN, TypeError, 'Invalid status code: null. Status code must be an integer.'],
    [undefined, TypeError, 'Invalid status code: undefined. Status code must be an integer.'],
  ];
  for (const [code, kind, message] of REFUSED) {
    it(`res.status throws an error with the value for ${String(code)} (${typeof code}) [F-7-12 F-8-06]`, () => {
      const res = Object.create((framework as unknown as Framework).response);

      expect(() => res.status(code)).to.throw(kind, message);
      expect(() => res.sendStatus(code)).to.throw(kind, message);
      expect(res).not.to.have.own.property('statusCode');
    });
  }
});

describe('res.end(), res.write(), res.writeHead() (§4.5)', () => {
  it('res.end sends data unchanged, without Content-Type and ETag [F-4.5-24]', async () => {
    const app = appOf((_req, res) => res.end('6869', 'hex'));

    const res = await request(app).get('/').buffer(true).parse(inBytes);

    expect(res.headers).not.to.have.any.keys('content-type', 'etag');
    expect(String(res.body)).to.equal('hi');
  });

  it('res.end calls its callback when the response was sent [F-4.5-24]', async () => {
    const isOut = new Promise<boolean>((resolve) => {
      const app = appOf((_req, res) => res.end(() => resolve(res.writableFinished)));
      void request(app).get('/').then();
    });

    expect(await isOut).to.equal(true);
  });

  it('res.write, res.setHeader and res.writeHead send what they send in Node.js [F-4.5-98]', async () => {
    const app = appOf((_req, res) => {
      res.setHeader('X-LIST', ['a', 'b']);
      res.writeHead(203, 'Fine');
      res.write('one, ');
      res.end('two');
    });

    const [response] = await play(app, [get('/')]);

    expect(response).to.include.members(['HTTP/1.1 203 Fine', 'X-LIST: a', 'X-LIST: b', 'one, two']);
  });
});

describe('res.send() of a string, the head of the response (§4.5)', () => {
  const LONG = 'x'.repeat(1000);

  for (const text of ['text', 'grün', '\u{1f689}', '', LONG, `grün${LONG}`]) {
    for (const etag of ['weak', false, (): string => '"own"']) {
      const shown = `${text.slice(0, 4)}… of ${text.length} with etag ${etag}`;
      it(`has the same bytes as in Express for the text ${shown} [F-4.5-68]`, async () => {
        const { reference, build } = await playBoth(
          (framework) => {
            const app = framework();
            app.set('etag', etag);
            app.get('/header', (_req, res) => res.set('X-Name', 'é').send(text));
            app.get('/message', (_req, res) => {
              res.statusMessage = 'Très bien';
              res.send(text);
            });
            app.get('/json', (_req, res) => res.append('X-Name', ['é', 'a']).json({ text }));
            app.get('/late', (_req, res) => {
              const { writeHead } = res;
              res.writeHead = function (this: typeof res, ...args: unknown[]) {
                this.setHeader('X-Name', 'é');
                return Reflect.apply(writeHead, this, args);
              };
              res.send(text);
            });
            return app;
          },
          ...['/header', '/message', '/json', '/late'].flatMap((path) => [get(path), head(path)]),
        );

        expect(build).to.deep.equal(reference);
      });
    }
  }
});

function inBytes(res: request.Response, done: (err: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const stream = res as unknown as NodeJS.ReadableStream;
  stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => done(null, Buffer.concat(chunks)));
}
