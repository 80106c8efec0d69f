/**
 * Installs a workspace with each package manager: two applications with other versions of middleware, a library of the
 * workspace, and a published package that depends on Express. All get one copy of the package, so a helper that one sets on
 * `express.response` reaches every application.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npmInstall } from '../../parity/harness/packages';
import { run } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';
import { expectOutput } from '../../scripts/package/expect';
import { makeTarball } from '../../scripts/package/tarball';

interface Layout {
  readonly install: readonly string[];
  /** What runs a file. Default: Node.js. */
  readonly node?: readonly string[];
  /** Members of the package.json of the workspace: those that replace Express, as docs/switching.md shows. */
  readonly manifest?: (nozomi: string) => object;
  /** Further files of the workspace. */
  readonly files?: (nozomi: string) => Readonly<Record<string, string>>;
  /** The range of a package of the workspace. */
  readonly workspace: string;
}

const pnpm = (linker: string): Layout => ({
  install: ['pnpm', 'install', '--ignore-scripts'],
  files: (nozomi) => ({
    'pnpm-workspace.yaml': `packages: ['apps/*', 'libs/*']\nnodeLinker: ${linker}\noverrides:\n  express: ${nozomi}\n`,
  }),
  workspace: 'workspace:*',
});

const yarn = (linker: string): Layout => ({
  install: ['yarn', 'install'],
  node: ['yarn', 'node'],
  manifest: (nozomi) => ({ resolutions: { express: nozomi } }),
  files: () => ({
    '.yarnrc.yml': `nodeLinker: ${linker}\nenableTelemetry: false\nenableImmutableInstalls: false\nenableScripts: false\n`,
    'yarn.lock': '',
  }),
  workspace: 'workspace:*',
});

const bun = (linker: string): Layout => ({
  install: ['bun', 'install'],
  manifest: (nozomi) => ({ overrides: { express: nozomi } }),
  files: () => ({ 'bunfig.toml': `[install]\nlinker = "${linker}"\n` }),
  workspace: 'workspace:*',
});

const LAYOUTS: Readonly<Record<string, Layout>> = {
  npm: {
    install: ['npm', 'install', '--no-audit', '--no-fund'],
    manifest: (nozomi) => ({ dependencies: { express: nozomi }, overrides: { express: '$express' } }),
    workspace: '*',
  },
  'pnpm, isolated': pnpm('isolated'),
  'pnpm, hoisted': pnpm('hoisted'),
  "Yarn, Plug'n'Play": yarn('pnp'),
  'Yarn, node-modules': yarn('node-modules'),
  'Bun, isolated': bun('isolated'),
  'Bun, hoisted': bun('hoisted'),
};

/** A package that sets a helper on the prototype of responses, as the guide of Express shows. */
const HELPER = (name: string): string => `
  const express = require('express');
  express.response.${name} = function () { return this.send('${name}'); };
  module.exports = express;`;

const APPLICATION = `
  const express = require('express');
  const copies = new Set([express, require('web'), require('published')]);
  const app = express().get('/', (req, res) => res.ofWorkspace()).get('/other', (req, res) => res.ofPublished());
  const server = app.listen(0, '127.0.0.1', async () => {
    const ask = async (path) => (await fetch('http://127.0.0.1:' + server.address().port + path)).text();
    console.log(copies.size, await ask('/'), await ask('/other'), typeof express.logger);
    process.exit();
  });`;

describe('a workspace', function () {
  const work = temporaryFolder('one-copy');
  const tools = join(work, 'tools');
  let nozomi = '';
  let published = '';

  this.timeout(300_000);
  before(() => {
    npmInstall(tools, ['pnpm@10', '@yarnpkg/cli-dist@4', 'bun@1']);
    nozomi = `file:${makeTarball('5', work)}`;
    const folder = join(work, 'published');
    write(folder, {
      'package.json': JSON.stringify({
        name: 'published',
        version: '1.0.0',
        dependencies: { express: '^5.0.0' },
      }),
      'index.js': HELPER('ofPublished'),
    });
    run('npm', ['pack', '--pack-destination', work], folder);
    published = `file:${join(work, 'published-1.0.0.tgz')}`;
  });

  for (const [name, { install, node = [process.execPath], manifest, files, workspace }] of Object.entries(
    LAYOUTS,
  )) {
    it(`${name}: has one copy of the package`, () => {
      const home = join(work, name.replace(/\W+/g, '-'));
      const application = (id: string, more: object): Record<string, string> => ({
        [`apps/${id}/package.json`]: JSON.stringify({
          name: id,
          private: true,
          dependencies: { express: nozomi, web: workspace, published, ...more },
        }),
        [`apps/${id}/app.js`]: APPLICATION,
      });
      write(home, {
        'package.json': JSON.stringify({
          name: 'root',
          private: true,
          workspaces: ['apps/*', 'libs/*'],
          ...manifest?.(nozomi),
        }),
        ...application('a', { compression: '1.8.2', 'cookie-parser': '1.4.7' }),
        ...application('b', { compression: '1.7.4' }),
        'libs/web/package.json': JSON.stringify({
          name: 'web',
          version: '1.0.0',
          dependencies: { express: '^5.0.0' },
        }),
        'libs/web/index.js': HELPER('ofWorkspace'),
        ...files?.(nozomi),
      });
      const env = { PATH: `${join(tools, 'node_modules', '.bin')}:${process.env.PATH}` };
      expectOutput(install, home, /(?:)/, { env });

      for (const id of ['a', 'b'])
        expectOutput([...node, 'app.js'], join(home, 'apps', id), /^1 ofWorkspace ofPublished function$/m, {
          env,
        });
    });
  }
});

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}
