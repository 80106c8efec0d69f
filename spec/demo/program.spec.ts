/** Starts the demo as a process, and checks its port, messages and exit codes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { close, portOf, serverOf } from '../support/serve';

const ROOT = join(__dirname, '../..');

describe('the process of the demo', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  function start(env: Record<string, string>): { child: ChildProcess; output: () => string } {
    const child = spawn(process.execPath, ['--import', 'tsx', 'examples/demo'], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: 'production', ...env },
    });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => (output += String(chunk)));
    return { child, output: () => output };
  }

  async function urlOf({ child, output }: ReturnType<typeof start>): Promise<string> {
    for (;;) {
      const url = /open at (http:\S+)/.exec(output())?.[1];
      if (url) return url;
      await Promise.race([
        once(child.stdout as NonNullable<typeof child.stdout>, 'data'),
        once(child, 'exit'),
      ]);
      if (child.exitCode !== null) throw new Error(`the demo ended: ${output()}`);
    }
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    proves('F-4.2-57');
    it(`prints its URL, responds, logs, and exits with 0 on ${signal} despite an open connection`, async () => {
      const demo = start({ PORT: '0' });
      const url = await urlOf(demo);
      const idle = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
      await once(idle, 'connect');
      const res = await fetch(`${url}/api/lines/bay`);
      demo.child.kill(signal);
      const [code] = await once(demo.child, 'close');

      expect(((await res.json()) as { name: string }).name).to.equal('Bay Line');
      expect(demo.output()).to.include('GET /api/lines/bay').and.to.include('The desk is closing.');
      expect(code).to.equal(0);
    });
  }

  it('serves the sources without a build, as `npm start` does', async () => {
    const TSX_TSCONFIG_PATH = join(ROOT, 'examples', 'demo', 'tsconfig.json');
    const demo = start({ PORT: '0', TSX_TSCONFIG_PATH, NODE_DEBUG: 'module' });
    const res = await fetch(`${await urlOf(demo)}/api/lines/bay`);

    expect(res.status).to.equal(200);
    expect(demo.output())
      .to.contain(join(ROOT, 'src', 'index.ts'))
      .and.not.contain(join(ROOT, 'dist'));
  });

  proves('F-4.2-60');
  it('prints a message and exits with 1 if another process listens on the port', async () => {
    const other = await serverOf(createServer());
    const port = portOf(other);
    const demo = start({ PORT: String(port) });
    const [code] = await once(demo.child, 'close');
    await close(other);

    expect(demo.output()).to.include(`Port ${port} is taken. Try another: PORT=${port + 1} npm start`);
    expect(code).to.equal(1);
  });

  for (const port of ['abc', '65536']) {
    proves('F-4.2-56');
    it(`prints a message and exits with 1 for PORT=${port}`, async () => {
      const demo = start({ PORT: port });
      const [code] = await once(demo.child, 'close');

      expect(demo.output()).to.include(`PORT must be a whole number from 0 to 65535, got "${port}".`);
      expect(code).to.equal(1);
    });
  }
});
