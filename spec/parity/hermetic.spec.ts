/** `record --outgoing` and `--hermetic` with HTTP. hermetic-databases.spec.ts asks databases. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort, untilListening } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';
import { APPLICATIONS, COMMAND, type Ended, ROOT, runNode } from '../support/command';

const APPLICATION = join(APPLICATIONS, 'outgoing.js');

describe('nozomi-parity --hermetic', () => {
  const folder = temporaryFolder('hermetic-spec');
  const [har, outgoing] = ['traffic.har', 'outgoing.json'].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  let service: Server;
  let asked = 0;
  let env: NodeJS.ProcessEnv;
  let recorded: string[];
  let printed = '';

  before(async () => {
    // Each response is another, so that only a recording can repeat it.
    service = createServer((req, res) => {
      asked++;
      const isEmpty = req.url === '/204';
      res.writeHead(isEmpty ? 204 : 203, { 'Content-Type': 'application/json' });
      res.end(isEmpty ? undefined : JSON.stringify({ url: req.url, random: Math.random() }));
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const port = await freePort();
    env = { ...process.env, SERVICE: `http://127.0.0.1:${(service.address() as AddressInfo).port}` };
    const child = spawn(
      process.execPath,
      [COMMAND, 'record', APPLICATION, '-o', har, '--outgoing', outgoing, '--keep', '9'],
      { cwd: ROOT, env: { ...env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    child.stderr?.on('data', (text) => (printed += text));
    await untilListening(port, child);
    recorded = [];
    for (const path of ['fetch', 'http', 'fetch', 'none', 'socket'])
      recorded.push(await (await fetch(`http://127.0.0.1:${port}/${path}`)).text());
    await stop(child);
    service.close();
    service.closeAllConnections();
    asked = 0;
  });
  after(() => rmSync(folder, { recursive: true }));

  async function stop(child: ChildProcess): Promise<void> {
    const closed = once(child, 'close');
    child.kill('SIGINT');
    await closed;
  }

  const play = (options: readonly string[] = [], variables: NodeJS.ProcessEnv = {}): Promise<Ended> =>
    runNode(
      [COMMAND, APPLICATION, '--har', har, '--hermetic', outgoing, '--baseline', 'nozomi', ...options],
      {
        env: { ...env, PORT: '0', ...variables },
      },
    );
  it('writes the questions and replies to a file that only the owner can read', () => {
    const { replies } = JSON.parse(readFileSync(outgoing, 'utf8'));

    expect(replies.map(({ question }: { question: string }) => question.replace(/:\d+/, ''))).to.deep.equal([
      'POST http://127.0.0.1/fetch?ask=first a body',
      'GET http://127.0.0.1/http',
      'POST http://127.0.0.1/fetch?ask=first a body',
      'GET http://127.0.0.1/204',
    ]);
    expect(printed).to.include('recorded 4 outgoing questions in').and.include('its protocol is unknown');
    if (process.platform !== 'win32') expect(statSync(outgoing).mode & 0o077).to.equal(0);
  });

  it('replies from the recording, the second time with the second reply', async () => {
    const traffic = JSON.parse(readFileSync(har, 'utf8'));
    const isReplied = ({ request }: { request: { url: string } }): boolean => !/socket$/.test(request.url);
    traffic.log.entries = traffic.log.entries.filter(isReplied);
    const replied = join(folder, 'replied.har');
    writeFileSync(replied, JSON.stringify(traffic));
    const { code, output } = await play(['--har', replied]);
    expect(code, output).to.equal(0);
    const { output: shown } = await play(['--show']);

    for (const body of recorded.slice(0, 3)) expect(shown).to.include(JSON.parse(body).random);
    expect(shown).to.include('HTTP/1.1 204');
    expect(asked).to.equal(0);
  });

  it('is inconclusive and names the questions that the recording does not reply', async () => {
    const { code, output } = await play([], { ASK: 'second' });

    expect(code).to.equal(2);
    expect(output).to.match(/inconclusive: \S+ has no reply to 2 questions of the application:/);
    expect(output).to.match(/\n {2}POST http:\/\/127\.0\.0\.1:\d+\/fetch\?ask=second a body\n/);
    expect(output).to.match(/\n {2}a connection to 127\.0\.0\.1:\d+\n/);
    expect(asked).to.equal(0);
  });

  it('refuses another file', async () => {
    const other = join(folder, 'other.json');
    writeFileSync(other, '{}');
    const { code, errors } = await play(['--hermetic', other]);

    expect(code).to.equal(2);
    expect(errors).to.include('expected a file of nozomi-parity record --outgoing');
  });
});
