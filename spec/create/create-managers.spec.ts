/** `create-nozomi` with npm, pnpm and Bun: two commands, and each project serves, tests itself and ends gracefully. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { npmInstall } from '../../parity/harness/packages';
import { freePort, untilListening } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';
import { makeCreate } from '../../scripts/create/pack';
import { makeTarball } from '../../scripts/package/tarball';

/** How each manager runs an installed command, and a script of a project. */
const MANAGERS = {
  npm: { exec: ['npx', '--no'], start: ['npm', 'start'], test: ['npm', 'test'] },
  pnpm: { exec: ['pnpm', 'exec'], start: ['pnpm', 'start'], test: ['pnpm', 'test'] },
  bun: { exec: ['bunx', '--no-install'], start: ['bun', 'run', 'start'], test: ['bun', 'run', 'test'] },
};
const PAGES = { rest: '/notes', 'rest-ts': '/openapi.json', pages: '/', 'pages-ts': '/style.css' };

describe('create-nozomi with package managers', () => {
  const work = temporaryFolder('create-managers');
  const env = {
    ...process.env,
    PATH: `${join(work, 'node_modules', '.bin')}:${process.env.PATH}`,
    // Without them, `npm test` of this repository decides which manager the command sees.
    npm_config_user_agent: undefined,
    npm_execpath: undefined,
  };
  let tarball: string;

  before(() => {
    tarball = makeTarball('5', work);
    npmInstall(work, [`file:${makeCreate(work)}`, 'pnpm@10', 'bun@1']);
  });
  after(() => rmSync(work, { recursive: true }));

  const run = ([command = '', ...args]: readonly string[], cwd: string): string => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
    expect(status, stdout + stderr).to.equal(0);
    return stdout;
  };

  for (const [manager, { exec, start, test }] of Object.entries(MANAGERS))
    for (const [template, page] of Object.entries(PAGES))
      it(`${manager}: ${template}`, async () => {
        const name = `${manager}-${template}`;
        const project = join(work, name);
        const output = run(
          [...exec, 'create-nozomi', name, '--template', template, '--nozomi', `file:${tarball}`],
          work,
        );
        expect(output).to.include(`cd ${name}\n  ${manager} start\n`);
        await serves(start, project, page);
        expect(run(test, project)).to.match(/# pass 4|pass 4/);
      });

  /** Starts a project, checks a page and the probes, and ends it as a supervisor does. */
  async function serves(
    [command = '', ...args]: readonly string[],
    cwd: string,
    page: string,
  ): Promise<void> {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const child: ChildProcess = spawn(command, args, {
      cwd,
      env: { ...env, PORT: String(port) },
      stdio: 'ignore',
      // In a process group, because package managers start a shell.
      detached: true,
    });
    const closed = once(child, 'exit');
    try {
      await untilListening(port, child, 60_000);
      for (const path of [page, '/health', '/ready'])
        expect((await fetch(origin + path)).status, path).to.equal(200);
      expect((await fetch(`${origin}/none`)).status).to.equal(404);
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGTERM');
    }
    await closed;
    let isOpen = true;
    while (isOpen) isOpen = await fetch(`${origin}/health`).then(Boolean, () => false);
  }
});
