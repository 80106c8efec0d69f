/** HTTP/2 clients other than Node.js. They are programs that `npm ci` does not install, so only `npm test -- --all` runs this spec. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import framework from 'nozomi';
import { createServer, type Server } from 'nozomi/http2';
import { chromium } from 'playwright-core';
import { CERTIFICATE as cert, KEY as key } from '../../parity/transports/certificate';
import { programOf } from '../support/programs';
import { listening } from './support';

const run = promisify(execFile);
const TIMEOUT = 20_000;

const app = framework().set('env', 'test');
app.get('/', (req, res) => void res.send(`<!doctype html><p>over ${req.httpVersion}</p>`));
app.get('/bytes', (_req, res) => void res.send(Buffer.alloc(200_000, 'x')));
app.put('/', (req, res) => {
  let count = 0;
  req.on('data', (chunk) => {
    count += chunk.length;
  });
  req.on('end', () => res.send(`${req.httpVersion} ${count}`));
});

async function served(isSecure: boolean, use: (address: string) => Promise<void>): Promise<void> {
  const server: Server = createServer(isSecure ? { key, cert } : { cleartext: true }, app);
  const port = await listening(server);
  try {
    await use(`${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`);
  } finally {
    server.close();
  }
}

describe('HTTP/2 with the client curl', () => {
  const ask = async (...args: string[]): Promise<string> =>
    (await run(programOf('curl'), ['-sk', '--max-time', '10', ...args])).stdout;

  it('receives a page with ALPN, without ALPN, and with prior knowledge', async function () {
    this.timeout(TIMEOUT);
    await served(true, async (address) => {
      expect(await ask('--http2', address)).to.include('over 2.0');
      expect(await ask('--no-alpn', address)).to.include('over 1.1');
    });
    await served(false, async (address) => {
      expect(await ask('--http2-prior-knowledge', address)).to.include('over 2.0');
    });
  });

  it('streams an upload of unknown length', async function () {
    this.timeout(TIMEOUT);
    await served(true, async (address) => {
      const upload = run(programOf('curl'), ['-sk', '--max-time', '10', '--http2', '-T', '-', address]);
      upload.child.stdin?.end(Buffer.alloc(1_000_000, 'x'));
      expect((await upload).stdout).to.equal('2.0 1000000');
    });
  });
});

describe('HTTP/2 with the client nghttp', () => {
  it('receives a page without an error', async function () {
    this.timeout(TIMEOUT);
    await served(false, async (address) => {
      const { stdout, stderr } = await run(programOf('nghttp'), ['-nv', address]);
      expect(stdout).to.include(':status: 200').and.not.include('RST_STREAM');
      expect(stdout).to.include('NO_ERROR').and.not.include('PROTOCOL_ERROR');
      expect(stderr).to.equal('');
    });
  });
});

describe('HTTP/2 with the client h2load', () => {
  it('receives 300 responses of 200 kB without a failure, 50 at the same time', async function () {
    this.timeout(TIMEOUT);
    await served(false, async (address) => {
      const { stdout } = await run(programOf('h2load'), ['-n300', '-c5', '-m10', `${address}/bytes`]);
      expect(stdout).to.include('300 succeeded, 0 failed, 0 errored, 0 timeout');
    });
  });
});

describe('HTTP/2 with the client Chromium', () => {
  it('loads a page, and shows h2 in its network log', async function () {
    this.timeout(60_000);
    const browser = await chromium.launch({ executablePath: programOf('chromium'), args: ['--no-sandbox'] });
    try {
      await served(true, async (address) => {
        const page = await browser.newPage({ ignoreHTTPSErrors: true });
        const network = await page.context().newCDPSession(page);
        await network.send('Network.enable');
        const protocols: Array<string | undefined> = [];
        network.on('Network.responseReceived', ({ response, type }) => {
          if (type === 'Document') protocols.push(response.protocol);
        });
        await page.goto(address);
        expect(await page.textContent('p')).to.equal('over 2.0');
        expect(protocols).to.deep.equal(['h2']);
        await page.close();
      });
    } finally {
      await browser.close();
    }
  });
});
