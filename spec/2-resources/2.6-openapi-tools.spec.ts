/** The document of `nozomi/openapi` in tools of others: two linters, Swagger UI and Scalar. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Browser, chromium } from 'playwright-core';
import { npmInstall } from '../../parity/harness/packages';
import { end, freePort, untilListening } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';
import { COMMAND, ROOT } from '../support/command';
import { programOf } from '../support/programs';

const SERVER = join(ROOT, 'spec', '2-resources', 'openapi', 'server.cjs');
const PACKAGES = [
  '@redocly/cli@2',
  '@scalar/api-reference@1',
  '@scalar/express-api-reference@0.8',
  '@stoplight/spectral-cli@6',
  'swagger-ui-express@5',
];
/** The number of operations that the application has. */
const OPERATIONS = 13;

describe('nozomi/openapi: the document in other tools', () => {
  const folder = temporaryFolder('openapi');
  const file = join(folder, 'openapi.json');
  let server: ChildProcess;
  let origin: string;
  let text: string;
  let browser: Browser;

  before(async () => {
    npmInstall(folder, ['--ignore-scripts', ...PACKAGES]);
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    const env = { ...process.env, PORT: String(port) };
    server = spawn(process.execPath, [SERVER, folder], { cwd: ROOT, env, stdio: 'inherit' });
    await untilListening(port, server);
    text = await (await fetch(`${origin}/openapi.json`)).text();
    writeFileSync(file, text);
    browser = await chromium.launch({ executablePath: programOf('chromium'), args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser?.close();
    if (server) await end(server);
    rmSync(folder, { recursive: true });
  });

  const lint = (program: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(folder, 'node_modules', program), 'lint', ...args, file], {
      cwd: folder,
      encoding: 'utf8',
    });

  it('redocly finds no error with its rules recommended-strict, except for choices of the application', () => {
    // That two paths can match the same URL is a property of the application.
    const rules = ['no-ambiguous-paths', 'operation-4xx-response'].flatMap((rule) => ['--skip-rule', rule]);
    const { status, stdout, stderr } = lint(
      '@redocly/cli/bin/cli.js',
      '--extends=recommended-strict',
      ...rules,
    );

    expect(status, stdout + stderr).to.equal(0);
    expect(stderr).to.include('Your API description is valid');
  });

  it('spectral finds no error', () => {
    const rules = join(folder, 'rules.yaml');
    writeFileSync(rules, 'extends: ["spectral:oas"]\n');
    const { status, stdout, stderr } = lint('@stoplight/spectral-cli/dist/index.js', '--ruleset', rules);

    expect(status, stdout + stderr).to.equal(0);
    expect(stdout).to.include('(0 errors');
  });

  it('linters find what is wrong', () => {
    const broken = JSON.parse(text);
    delete broken.paths['/users/{id}'].get.parameters;
    writeFileSync(file, JSON.stringify(broken));
    try {
      expect(lint('@redocly/cli/bin/cli.js').status).to.equal(1);
    } finally {
      writeFileSync(file, text);
    }
  });

  it('nozomi-parity openapi writes the same file', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [COMMAND, 'openapi', SERVER, '--', folder],
      { cwd: ROOT, encoding: 'utf8' },
    );

    expect(status, stderr).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal(JSON.parse(text));
  });

  it('Swagger UI shows each operation', async () => {
    const page = await browser.newPage();
    await page.goto(`${origin}/docs/`);
    await page
      .locator('.opblock')
      .nth(OPERATIONS - 1)
      .waitFor();

    expect(await page.locator('.opblock').count()).to.equal(OPERATIONS);
    expect(await page.locator('h1.title').textContent()).to.include('Every kind');
    expect(await page.locator('.opblock', { hasText: 'Lists the users' }).count()).to.equal(1);
    expect(await page.locator('.errors').count()).to.equal(0);
  });

  it('Scalar shows the title, the tag and an operation', async () => {
    const page = await browser.newPage();
    await page.goto(`${origin}/reference`);
    await page.getByRole('heading', { name: 'Every kind' }).first().waitFor();
    await page.getByText('Lists the users').first().waitFor();

    expect(await page.getByText('zod').count()).to.be.above(0);
  });
});
