import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { bundle, readCompiled } from '../../scripts/build/bundle';
import { inside } from '../support/inside';

const ROOT = join(__dirname, '..', '..');
const DIST = join(ROOT, 'dist');

const run = (...args: string[]): string => execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();

/** @returns The files of `dist` that an entry point loads, in order. */
function loadedBy(entryPoint: string): string[] {
  const program = `require('${entryPoint}'); JSON.stringify(Object.keys(require.cache))`;
  return (JSON.parse(run('-p', program)) as string[])
    .map((file) => relative(DIST, file).replaceAll('\\', '/'))
    .filter((file) => !file.startsWith('../'));
}

describe('the build in dist', () => {
  it('has entry points that load few files besides adapters for APM agents', () => {
    const own = loadedBy('nozomi').filter((file) => !file.startsWith('node_modules/'));
    expect(own).to.have.members([
      'index.js',
      'parts/core.js',
      'parts/base.js',
      'parts/logger.js',
      'parts/transports.js',
      'routing/promise.js',
    ]);
  });

  it('loads each module only once through all entry points', () => {
    const program = `
      const one = require('nozomi');
      const two = require('nozomi/3');
      const core = require('./dist/parts/core.js');
      console.log(
        core['framework'].framework === one,
        core['response/response'].response === one.response,
        require('nozomi/lib/response') === one.response,
        core['routing/layer'].PublicLayer === require('./dist/node_modules/router/lib/layer.js'),
        require('nozomi/logger') === one.logger && one.logger.token === two.logger.token,
      );`;
    expect(run('-e', program)).to.equal('true true true true true');
  });

  it('has bundles whose first line selects strict mode, because Bun ignores directives inside of functions', () => {
    const parts = readdirSync(join(DIST, 'parts')).filter((file) => file.endsWith('.js'));
    const directive = '"use strict";';
    const first = parts.map((file) =>
      readFileSync(join(DIST, 'parts', file), 'utf8').slice(0, directive.length),
    );
    expect(new Set(first)).to.deep.equal(new Set([directive]));
  });

  it('loads no file of the package after `require`, and no other series', () => {
    const program = `
      const framework = require('nozomi');
      const count = () => Object.keys(require.cache).length;
      const before = count();
      const app = framework();
      app.use(framework.json(), framework.logger('tiny', { stream: { write() {} } }));
      app.get('/', (req, res) => { res.cookie('a', 'b').vary('X').json(req.query); });
      const server = app.listen(0, '127.0.0.1', async () => {
        await fetch('http://127.0.0.1:' + server.address().port);
        console.log(count() - before, Object.keys(require.cache).some((file) => file.includes('parts/express')));
        process.exit();
      });`;
    expect(run('-e', program)).to.equal('0 false');
  });

  it('has source maps, so that stack traces show lines of the source', () => {
    const program = `try { require('nozomi').Router().use('/path') } catch (err) { console.log(err.stack) }`;
    const [, file, line] =
      /at flattenHandlers \((.*?):(\d+):/.exec(run('--enable-source-maps', '-e', program)) ?? [];

    expect(file).to.match(/src[\\/]routing[\\/]route\.ts$/);
    const source = readFileSync(join(ROOT, 'src', 'routing', 'route.ts'), 'utf8');
    expect(source.split('\n')[Number(line) - 1]).to.contain('argument handler is required');
  });

  it('keeps the names of handlers', () => {
    const { named } = inside<typeof import('../../src/internal/named')>('internal/named');
    const program = `
      const framework = require('nozomi');
      const express3 = require('nozomi/3');
      const handlers = [framework.static('.'), framework.json(), framework.logger('tiny'), framework.Router(), express3.query(), express3.basicAuth('a', 'b')];
      console.log(handlers.map(({ name }) => name).join());`;

    expect(named('one', () => 1)).to.include({ name: 'one', length: 0 });
    expect(run('--no-deprecation', '-e', program)).to.equal(
      'serveStatic,jsonParser,logger,router,query,basicAuth',
    );
  });

  it('fails if esbuild renames a function', async () => {
    const folder = temporaryFolder('build');
    try {
      const text = `${readCompiled('internal/named')}\nfunction handler() { return function handler() {}; }\nexports.handler = handler;`;
      const failed = await bundle(folder, { name: 'internal/named', text }).catch((err) => err);
      expect(failed)
        .to.be.an('error')
        .with.property('message')
        .that.contains('renamed functions to handler2');
    } finally {
      removeFolder(folder);
    }
  });
});
