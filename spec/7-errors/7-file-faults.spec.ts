/**
 * Faults while a file is sent, with the middleware and the methods of each series. Mocha fails a spec for an uncaught
 * exception, so each of them also shows that the process goes on.
 */
import { truncateSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import type express from 'express';
import framework from 'nozomi';
import express3 from 'nozomi/3';
import express4 from 'nozomi/4';
import onHeaders from 'on-headers';
import { playSteps } from '../../parity/client/exchange';
import { get, head } from '../../parity/client/request';
import { descriptors, descriptorsBeyond } from '../support/descriptors';
import { filesOf } from '../support/files';
import { PATIENCE } from '../support/play';
import { serving } from '../support/serve';

type App = ReturnType<typeof framework>;
type Res = express.Response;

interface Way {
  readonly framework: typeof framework;
  /** Makes the application send the file of the URL below `root`. */
  serve(app: App, root: string): void;
}

const SERIES = { nozomi: framework, 'nozomi/4': express4, 'nozomi/3': express3 };

/** Each way to send a file, by its name. */
const WAYS: Readonly<Record<string, Way>> = Object.fromEntries(
  Object.entries(SERIES).flatMap(([series, each]) => {
    // A cast: the three series differ in their types, and the specs only use what they share.
    const nozomi = each as unknown as typeof framework;
    const method = series === 'nozomi/3' ? 'sendfile' : 'sendFile';
    const viaMethod = (app: App, root: string): void => {
      app.get('/:name', (req, res) => {
        (res as unknown as Record<string, (path: string) => void>)[method]?.(
          join(root, String(req.params.name)),
        );
      });
    };
    return [
      [`${series}: static`, { framework: nozomi, serve: (app, root) => void app.use(nozomi.static(root)) }],
      [`${series}: res.${method}`, { framework: nozomi, serve: viaMethod }],
    ] as [string, Way][];
  }),
);

const LONG = 600_000;
const FILES = { short: 'x'.repeat(3000), long: 'x'.repeat(LONG), empty: '' };

function application({ framework: nozomi, serve }: Way, root: string, prepare: (res: Res) => void): App {
  const app = nozomi();
  app.set('env', 'test');
  app.use((req, res, next) => {
    if (req.path === '/alive') res.send('alive');
    else {
      prepare(res);
      next();
    }
  });
  serve(app, root);
  return app;
}

/** @returns For each request: the status (0 without a response) and the outcome of the connection. */
async function outcomes(app: RequestListener, ...targets: string[]): Promise<string[]> {
  return serving(createServer(app), async (port) => {
    const steps = targets.map((target) => (target.startsWith('HEAD ') ? head(target.slice(5)) : get(target)));
    const exchanges = await playSteps(steps, { port, patience: PATIENCE });
    return exchanges.map(({ response, outcome }) => `${response.status ?? 0} ${outcome}`);
  });
}

const failed = (): never => {
  throw new Error('failed');
};

/** What makes the first write of a response throw. */
const FAULTS: Readonly<Record<string, (res: Res) => void>> = {
  'Trailer is set beside Content-Length': (res) => void res.setHeader('Trailer', 'X-T'),
  'writeHead throws': (res) => void Object.assign(res, { writeHead: failed }),
  'a listener of on-headers throws': (res) => onHeaders(res, failed),
  'write and end throw': (res) => void Object.assign(res, { write: failed, end: failed }),
};

for (const [name, way] of Object.entries(WAYS)) {
  describe(`${name}, a fault`, () => {
    for (const [fault, prepare] of Object.entries(FAULTS)) {
      it(`closes the connection and the file if ${fault}`, async () => {
        const before = descriptors();
        const app = application(way, filesOf(FILES), prepare);

        for (let round = 0; round < 3; round++) {
          expect(await outcomes(app, '/short', '/long', '/empty', '/alive')).to.deep.equal([
            '0 closed',
            '0 closed',
            '0 closed',
            '200 kept',
          ]);
        }

        expect(await descriptorsBeyond(before)).to.equal(0);
      });
    }

    it('closes the connection and the file if a later write throws', async () => {
      const before = descriptors();
      const app = application(way, filesOf(FILES), (res) => {
        const { write } = res;
        let calls = 0;
        res.write = ((...args: unknown[]) =>
          calls++ > 0 ? failed() : Reflect.apply(write, res, args)) as never;
      });

      expect(await outcomes(app, '/long', '/long', '/alive')).to.deep.equal([
        '200 closed',
        '200 closed',
        '200 kept',
      ]);
      expect(await descriptorsBeyond(before)).to.equal(0);
    });

    it('passes an error to next if a header cannot be set', async () => {
      const before = descriptors();
      const app = application(way, filesOf(FILES), (res) => {
        const { setHeader } = res;
        res.setHeader = (field, value) =>
          field === 'Accept-Ranges' ? failed() : setHeader.call(res, field, value);
      });

      expect(await outcomes(app, '/short', '/short', 'HEAD /short', '/alive')).to.deep.equal([
        '500 kept',
        '500 kept',
        '500 kept',
        '200 kept',
      ]);
      expect(await descriptorsBeyond(before)).to.equal(0);
    });

    it('closes the file if it cannot be piped into the response', async () => {
      const before = descriptors();
      const app = application(way, filesOf(FILES), (res) => {
        // `pipe` calls it.
        Object.assign(res, { once: failed });
      });

      expect(await outcomes(app, '/short', '/alive')).to.deep.equal(['500 kept', '200 kept']);
      expect(await descriptorsBeyond(before)).to.equal(0);
    });

    it('closes the connection if the file is truncated while it is sent', async () => {
      const root = filesOf({});
      const path = join(root, 'cut');
      const app = application(way, root, () => undefined);
      writeFileSync(path, 'T'.repeat(8e6));
      // The second transfer of `static` takes another way than the first one.
      for (let round = 0; round < 2; round++) {
        writeFileSync(path, 'T'.repeat(8e6));
        const text = await whileTruncated(app, path, 3e6);

        expect(text).to.match(/^HTTP\/1.1 200 OK\r\n/);
        expect(text.split('HTTP/1.1 ')).to.have.lengthOf(2);
        expect(text).to.match(/Content-Length: 8000000\r\n[\s\S]*\r\n\r\nT{3000000}$/);
      }
    });
  });
}

describe('framework.static(), a request target without a path', () => {
  proves('F-7-08');
  it('is a missing file and does not throw', () => {
    const serve = framework.static('.');
    const next = { calls: 0 };

    serve({ method: 'POST', url: 'x:' } as never, {} as never, () => next.calls++);

    expect(next.calls).to.equal(1);
  });
});

describe('static and res.sendFile, a fault of the application', () => {
  it('static calls next(err) if setHeaders throws', async () => {
    const root = filesOf(FILES);
    const app = framework()
      .set('env', 'test')
      .use(framework.static(root, { setHeaders: failed }));

    expect(await outcomes(app, '/short', '/short')).to.deep.equal(['500 kept', '500 kept']);
  });

  it('static calls next(err) if the redirect to a directory cannot be sent', async () => {
    const app = application(
      { framework, serve: (each, root) => void each.use(framework.static(root)) },
      filesOf({ 'folder/file': '' }),
      (res) => {
        const { setHeader } = res;
        res.setHeader = (field, value) =>
          field === 'Location' ? failed() : setHeader.call(res, field, value);
      },
    );

    expect(await outcomes(app, '/folder')).to.deep.equal(['500 kept']);
  });

  it('res.sendFile passes an error to its callback if its option headers is invalid', async () => {
    const path = join(filesOf(FILES), 'short');
    const app = framework().get('/', (_req, res) =>
      res.sendFile(path, { headers: { 'X-A': 'b\r\nc' } }, (err) => {
        res.status(500).send((err as NodeJS.ErrnoException).code);
      }),
    );

    expect(await outcomes(app, '/')).to.deep.equal(['500 kept']);
  });
});

/**
 * Sends two requests on one connection for a file that is longer than the buffers of the connection. Truncates the file
 * after the first bytes have arrived. @returns All that the client has received when the server closes the connection.
 */
async function whileTruncated(app: RequestListener, path: string, length: number): Promise<string> {
  return serving(createServer(app), async (port) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const request = 'GET /cut HTTP/1.1\r\nHost: h\r\n\r\n';
    socket.on('error', () => undefined).write(request + request);
    return new Promise<string>((resolve) => {
      socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
      socket.on('data', (chunk) => {
        if (chunks.length === 0) truncateSync(path, length);
        chunks.push(chunk);
      });
    });
  });
}
