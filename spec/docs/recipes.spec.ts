/**
 * Runs each page of docs/recipes: installs the packages that it names, at their latest versions, beside the tarball of this
 * package, writes its files, starts the last program, and sends the requests in its comments.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { freePort, untilListening } from '../../parity/harness/processes';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { makeTarball } from '../../scripts/package/tarball';
import { codeBlocks, hasExpectations, ROOT } from '../support/code-blocks';
import { playExchanges } from '../support/exchanges';

const FOLDER = join(ROOT, 'docs', 'recipes');
const pages = readdirSync(FOLDER).filter((file) => file.endsWith('.md'));

/** Milliseconds in which a program must listen: PostgreSQL in WebAssembly creates its files first. */
const PATIENCE = 60_000;

const POSTGRES = {
  packages: ['@electric-sql/pglite', '@electric-sql/pglite-socket'],
  program: `
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
const port = Number(process.env.SERVICE_PORT);
await new PGLiteSocketServer({ db: await PGlite.create(), port, maxConnections: 10 }).start();
`,
  env: (port: number) => ({
    DATABASE_URL: `postgres://postgres:postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
  }),
};

/** A service that a recipe needs: its package, and a program that starts it on `SERVICE_PORT`. */
const SERVICES: Readonly<
  Record<string, { packages: readonly string[]; program: string; env: (port: number) => NodeJS.ProcessEnv }>
> = {
  // PostgreSQL, compiled to WebAssembly.
  'database.md': POSTGRES,
  'drizzle.md': POSTGRES,
  'object-storage.md': {
    packages: ['s3rver'],
    program: `
import S3rver from 's3rver';
import { mkdtempSync } from 'node:fs';
new S3rver({
  port: Number(process.env.SERVICE_PORT), address: '127.0.0.1', silent: true,
  directory: mkdtempSync('s3-'), configureBuckets: [{ name: 'photos' }],
}).run();
`,
    env: (port) => ({
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'photos',
      MOST: '20',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    }),
  },
};

describe('docs, recipes', () => {
  const project = temporaryFolder('recipes');
  const running: ChildProcess[] = [];

  before(function () {
    this.timeout(600_000);
    const tarball = makeTarball('5', project);
    writeFileSync(join(project, 'package.json'), '{ "private": true }');
    const expected = pages.flatMap((page) => [...packagesOf(page), ...(SERVICES[page]?.packages ?? [])]);
    const own = ['nozomi', 'express'].map((name) => `${name}@file:${tarball}`);
    const { status, stderr } = spawnSync(
      'npm',
      ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...own, ...new Set(expected)],
      { cwd: project, encoding: 'utf8' },
    );
    expect(status, stderr).to.equal(0);
  });

  afterEach(async () => {
    for (const child of running.splice(0)) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
  });
  after(() => removeFolder(project));

  for (const page of pages)
    it(`docs/recipes/${page} sends the responses that it shows`, async () => {
      const folder = join(project, basename(page, '.md'));
      const blocks = codeBlocks(`docs/recipes/${page}`);
      for (const { code } of blocks) writeNamed(folder, code);
      const [program] = blocks.filter(hasExpectations);
      if (!program) throw new Error(`docs/recipes/${page} has no block with requests and responses`);

      const env = await startService(page, folder);
      for (const command of commandsOf(page)) run(command, folder, env);
      const port = await start(nameOf(program.code) ?? '', folder, env);

      expect(await playExchanges(program.code, port, `${page}:${program.line}`)).to.be.above(0);
    }).timeout(120_000);

  function launch(program: string, folder: string, env: NodeJS.ProcessEnv): ChildProcess {
    const options = /\.(?:mts|tsx)$/.test(program) ? ['--import', 'tsx'] : [];
    const child = spawn(process.execPath, [...options, program], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.push(child);
    return child;
  }

  async function startService(page: string, folder: string): Promise<NodeJS.ProcessEnv> {
    const service = SERVICES[page];
    if (!service) return {};
    const port = await freePort();
    writeFileSync(join(folder, 'service.mjs'), service.program);
    await untilListening(port, launch('service.mjs', folder, { SERVICE_PORT: `${port}` }), PATIENCE);
    return service.env(port);
  }

  async function start(program: string, folder: string, env: NodeJS.ProcessEnv): Promise<number> {
    const port = await freePort();
    const child = launch(program, folder, { ...env, PORT: `${port}`, NODE_ENV: 'production' });
    await untilListening(port, child, PATIENCE);
    return port;
  }

  /** Runs a command that the page names after the installation, such as `npx vite build`. */
  function run(command: string, folder: string, env: NodeJS.ProcessEnv): void {
    const [, ...args] = command.split(' ');
    const result = spawnSync('npx', ['--no-install', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    expect(result.status, `${command}\n${result.stdout}${result.stderr}`).to.equal(0);
  }
});

/** @returns The packages that `npm install` lines of a page name, at their latest versions. */
function packagesOf(page: string): string[] {
  return linesOf(page)
    .filter((line) => line.startsWith('npm install '))
    .flatMap((line) => line.split(' ').slice(2))
    .filter((word) => !word.startsWith('-') && !/^(?:nozomi|express@npm:)/.test(word))
    .map((name) => `${name}@latest`);
}

function commandsOf(page: string): string[] {
  return linesOf(page).filter((line) => line.startsWith('npx '));
}

function linesOf(page: string): string[] {
  return codeBlocks(`docs/recipes/${page}`)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.split('\n').map((line) => line.replace(/\s+# .*$/, '')));
}

/** The name in the first line of a block: `// server.mjs`, `<!-- index.html -->`. */
function nameOf(code: string): string | undefined {
  return /^(?:\/\/|<!--) ([\w./-]+\.\w+)(?: -->)?\n/.exec(code)?.[1];
}

function writeNamed(folder: string, code: string): void {
  const name = nameOf(code);
  if (!name) return;
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  // A comment before the doctype would be part of the page.
  const text = name.endsWith('.html') ? code.slice(code.indexOf('\n') + 1) : code;
  writeFileSync(join(folder, name), `${text}\n`);
}
