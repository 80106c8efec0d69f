/** Starts Caddy and HAProxy with the configurations of examples/cluster, in front of three processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import framework from 'nozomi';
import { freePort, untilListening } from '../../parity/harness/processes';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { ROOT } from '../support/code-blocks';
import { programOf } from '../support/programs';

const PROXIES = {
  Caddyfile: (file: string) => spawn(programOf('caddy'), ['run', '--config', file, '--adapter', 'caddyfile']),
  'haproxy.cfg': (file: string) => spawn(programOf('haproxy'), ['-f', file]),
} as const;

function serve() {
  const app = framework().set('trust proxy', 'loopback').set('env', 'test');
  app.get('/ready', (_req, res) => void res.send('ready'));
  app.get('/', (req, res) => void res.json([req.ip, req.protocol, req.get('x-forwarded-for')]));
  return app.listen(0, '127.0.0.1');
}

describe('docs, proxies of examples/cluster', () => {
  const folder = temporaryFolder('proxies');
  after(() => removeFolder(folder));

  for (const [name, start] of Object.entries(PROXIES))
    it(`${name} replaces what the client says, and goes on without a process that has ended`, async () => {
      const servers = [serve(), serve(), serve()];
      await Promise.all(servers.map((server) => once(server, 'listening')));
      const ports = servers.map((server) => (server.address() as AddressInfo).port);
      const port = await freePort();
      const text = readFileSync(join(ROOT, 'examples', 'cluster', name), 'utf8')
        .replaceAll(':8080', `:${port}`)
        .replace(/127\.0\.0\.1:300(\d)/g, (_all, at: string) => `127.0.0.1:${ports[Number(at) - 1]}`);
      const file = join(folder, name);
      writeFileSync(file, text);
      const proxy: ChildProcess = start(file);
      try {
        await untilListening(port, proxy);
        const ask = async () => {
          const headers = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' };
          const response = await fetch(`http://127.0.0.1:${port}/`, { headers });
          return [response.status, await response.json()];
        };
        const expected = [200, ['127.0.0.1', 'http', '127.0.0.1']];

        expect(await ask()).to.deep.equal(expected);
        servers[0]?.close();
        servers[0]?.closeAllConnections();
        for (let count = 0; count < 6; count++) expect(await ask()).to.deep.equal(expected);
      } finally {
        proxy.kill('SIGKILL');
        for (const server of servers) {
          server.close();
          server.closeAllConnections();
        }
      }
    }).timeout(30_000);
});
