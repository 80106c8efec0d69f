/** `--hermetic` with PostgreSQL and Redis: examples/hermetic is recorded, then compared while no database runs. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { npmInstall } from '../../parity/harness/packages';
import { freePort, untilListening } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';
import { COMMAND, type Ended, ROOT, runNode } from '../support/command';
import { programOf } from '../support/programs';

const CREATE = `CREATE TABLE books (id serial PRIMARY KEY, title text, price numeric);
  INSERT INTO books (title, price) VALUES ('Emma', 10), ('Ulysses', 20)`;

describe('nozomi-parity --hermetic with databases', () => {
  const folder = temporaryFolder('hermetic-databases');
  const application = join(folder, 'app.js');
  const [har, outgoing] = ['traffic.har', 'outgoing.json'].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  const env: NodeJS.ProcessEnv = { ...process.env };
  const recorded: string[] = [];
  let recording = '';

  before(async () => {
    npmInstall(folder, ['--ignore-scripts', 'pg@8', 'redis@6']);
    symlinkSync(ROOT, join(folder, 'node_modules', 'nozomi'), 'junction');
    cpSync(join(ROOT, 'examples', 'hermetic', 'app.js'), application);
    const [redisPort, servicePort] = [await freePort(), await freePort()];
    const service = await startService(servicePort);
    const redis = spawn(programOf('redis-server'), [
      '--port',
      String(redisPort),
      '--save',
      '',
      '--dir',
      folder,
    ]);
    const postgres = spawn(programOf('pg_virtualenv'), ['-o', 'fsync=off', 'sh', '-c', `${CLUSTER}; cat`], {
      // Another user may not enter the folder for temporary files of `npm test`.
      cwd: '/',
      env: { ...process.env, TMPDIR: '/tmp' },
      stdio: 'pipe',
      ...asUser('postgres'),
    });
    try {
      env.DATABASE_URL = await lineOf(postgres, /^postgres:.*$/m);
      env.REDIS_URL = `redis://127.0.0.1:${redisPort}`;
      env.RATES_URL = `http://127.0.0.1:${servicePort}`;
      await untilListening(redisPort, redis);
      await record();
    } finally {
      postgres.stdin.end();
      redis.kill();
      service.close();
      service.closeAllConnections();
      await Promise.all([postgres, redis].map((child) => child.exitCode ?? once(child, 'exit')));
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Creates the table with a password in the connection, as in operation, and prints how to connect. */
  const CLUSTER = `psql -q -c "${CREATE}" && echo "postgres://$PGUSER:$PGPASSWORD@127.0.0.1:$PGPORT/$PGDATABASE"`;

  async function startService(port: number): Promise<Server> {
    const service = createServer((_req, res) => res.end(JSON.stringify({ rate: Math.random() })));
    await once(service.listen(port, '127.0.0.1'), 'listening');
    expect((service.address() as AddressInfo).port).to.equal(port);
    return service;
  }

  async function record(): Promise<void> {
    const port = await freePort();
    const args = [COMMAND, 'record', application, '-o', har, '--outgoing', outgoing, '--keep', '9'];
    const child = spawn(process.execPath, args, {
      env: { ...env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr?.on('data', (text) => (recording += text));
    await untilListening(port, child, 20_000);
    const origin = `http://127.0.0.1:${port}`;
    const body = JSON.stringify({ title: 'Dracula', price: 5 });
    const added = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
    for (const [path, options] of [
      ['/books'],
      ['/books/1'],
      ['/books/1?currency=USD'],
      ['/books/9'],
      ['/books', added],
      ['/books/3'],
      ['/books'],
    ] as const)
      recorded.push(await (await fetch(origin + path, options)).text());
    const closed = once(child, 'close');
    child.kill('SIGINT');
    await closed;
  }

  const compare = (...options: string[]): Promise<Ended> =>
    runNode(
      [COMMAND, application, '--har', har, '--hermetic', outgoing, '--baseline', 'nozomi', ...options],
      { env: { ...env, PORT: '0' } },
    );

  it('records the questions, and no password', () => {
    expect(recording).to.match(/recorded \d+ outgoing questions in/);
    expect(recording).to.not.include('not recorded: 127');
    const { password } = new URL(env.DATABASE_URL ?? '');
    expect(password).to.have.length.above(5);
    expect(readFileSync(outgoing, 'utf8')).to.not.include(password);
  });

  it('compares twice without databases and network, with the recorded responses', async () => {
    for (const _run of [1, 2]) {
      const { code, output, errors } = await compare();
      expect(code, output + errors).to.equal(0);
      expect(output).to.include('7 requests');
    }
    const { output } = await compare('--show');
    for (const body of recorded) expect(output).to.include(body);
  });

  it('names a statement that the recording does not have', async () => {
    const text = readFileSync(application, 'utf8');
    writeFileSync(application, text.replace('ORDER BY id', 'ORDER BY title'));
    const { code, output } = await compare();

    expect(code).to.equal(2);
    expect(output).to.match(/\n {2}postgresql Q:SELECT id, title FROM books ORDER BY title\n/);
  });
});

/** PostgreSQL does not run as root. @returns The options of `spawn` for another user, if this process is of root. */
function asUser(name: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((option) =>
    Number(execFileSync('id', [option, name], { encoding: 'utf8' })),
  );
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

/** @returns The first line of a program that matches. Its output stays open. */
function lineOf({ stdout }: ChildProcess, pattern: RegExp): Promise<string> {
  let text = '';
  return new Promise((settle, reject) => {
    stdout?.on('data', (chunk) => {
      text += chunk;
      const [line] = pattern.exec(text) ?? [];
      if (line !== undefined && text.includes(`${line}\n`)) settle(line);
    });
    stdout?.once('close', () => reject(new Error(`expected a line like ${pattern}, got ${text}`)));
  });
}
