/** Clients that leave, or whose headers Node.js cuts: no smuggled request, no unhandled rejection, nothing kept. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import framework from 'nozomi';
import framework3 from 'nozomi/3';
import framework4 from 'nozomi/4';
import { upgrade } from 'nozomi/extras';
import { fromFetch } from 'nozomi/fetch';
import { receive } from '../support/connections';
import { serving } from '../support/serve';

const INNER = 'GET /smuggled HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';

describe('upgrade: headers beyond server.maxHeadersCount', () => {
  for (const limit of [undefined, 20, 1500]) {
    it(`never reads a body as a request (limit ${limit ?? 'of Node.js'})`, async () => {
      const seen: string[] = [];
      const app = framework().use((req, res) => {
        seen.push(req.url);
        req.resume().on('end', () => res.set('Connection', 'close').end());
      });
      const server = createServer(app);
      if (limit) server.maxHeadersCount = limit;
      await serving(upgrade(server, app), async (port) => {
        for (const count of [limit ?? 1000, (limit ?? 1000) - 1, (limit ?? 1000) + 100]) {
          const head = `Host: h\r\nConnection: upgrade\r\nUpgrade: h2c\r\n${'a:b\r\n'.repeat(count)}`;
          const text = `POST /public HTTP/1.1\r\n${head}Content-Length: ${INNER.length}\r\n\r\n${INNER}`;
          expect(await receive(port, text)).to.match(/^HTTP\/1\.1 (200|431) /);
        }
      });
      expect(seen).to.not.include('/smuggled');
    });
  }
});

describe('fromFetch: a client that leaves during its upload', () => {
  const series: Record<string, () => ReturnType<typeof framework>> = {
    nozomi: framework,
    'nozomi/4': framework4 as unknown as typeof framework,
    'nozomi/3': framework3 as unknown as typeof framework,
  };
  for (const [name, create] of Object.entries(series)) {
    it(`leaves no unhandled rejection under ${name}`, async () => {
      const rejections: unknown[] = [];
      const note = (err: unknown): void => void rejections.push(err);
      process.on('unhandledRejection', note);
      try {
        let handled = 0;
        const app = create().use(
          fromFetch(async ({ body }) => {
            await pause(20);
            handled += 1;
            return new Response(body);
          }),
        );
        await serving(createServer(app), async (port) => {
          for (let delay = 0; delay < 40; delay += 4) {
            const socket = connect(port, '127.0.0.1').on('error', () => undefined);
            await once(socket, 'connect');
            socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nhello');
            await pause(delay);
            socket.destroy();
            await pause(40);
          }
        });
        expect(handled).to.be.greaterThan(0);
        expect(rejections).to.deep.equal([]);
      } finally {
        process.off('unhandledRejection', note);
      }
    });
  }
});

describe('timeout: an idle connection', () => {
  it('does not keep the request and its response', () => {
    const program = `
      const http = require('node:http');
      const app = require('nozomi')();
      const requests = [];
      app.use(require('nozomi/extras').timeout('30s'), (req, res) => {
        requests.push(new WeakRef(req), new WeakRef(res));
        res.end('ok');
      });
      const server = http.createServer(app).listen(0, '127.0.0.1', () => {
        const agent = new http.Agent({ keepAlive: true });
        http.get({ port: server.address().port, host: '127.0.0.1', agent }, (res) => {
          res.resume().on('end', async () => {
            for (let i = 0; i < 20; i++) {
              await new Promise((next) => setTimeout(next, 20));
              gc();
            }
            console.log(requests.map((ref) => ref.deref() === undefined).join());
            process.exit();
          });
        });
      });`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', '-e', program], {
      encoding: 'utf8',
    });
    expect(stdout, stderr).to.equal('true,true\n');
  });
});
