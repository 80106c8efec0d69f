/** Tests the package in projects whose other packages come from the npm registry. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { npmInstall } from '../../parity/harness/packages';
import { run } from '../../parity/harness/processes';
import { expectOutput } from './expect';
import { root } from './tree';
import { unpack } from './unpack';

/** Old versions that applications may pin. This package loads most of them. */
const OLD: Readonly<Record<string, string>> = {
  'body-parser': '1.18.3',
  busboy: '0.3.1',
  compression: '1.7.4',
  'connect-timeout': '1.8.0',
  cookie: '0.4.0',
  'cookie-parser': '1.4.5',
  'cookie-signature': '1.0.6',
  csrf: '2.0.7',
  debug: '2.6.9',
  errorhandler: '1.5.0',
  'express-session': '1.17.3',
  finalhandler: '1.1.2',
  'http-errors': '1.6.3',
  'method-override': '2.3.10',
  morgan: '1.9.1',
  'path-to-regexp': '0.1.7',
  qs: '6.5.3',
  'response-time': '2.3.2',
  send: '0.16.2',
  'serve-favicon': '2.4.5',
  'serve-index': '1.9.0',
  'type-is': '1.6.16',
  vhost: '2.0.0',
};

const APPLICATION = `
  const express = require('express');
  const app = express();
  app.use(require('compression')(), require('cookie-parser')('secret'), require('method-override')());
  app.use(require('express-session')({ secret: 'secret', resave: false, saveUninitialized: true }));
  app.post('/users/:id', express.json(), (req, res) => res.json({ ...req.params, ...req.body, session: typeof req.session.id }));
  const server = app.listen(0, '127.0.0.1', async () => {
    const response = await fetch('http://127.0.0.1:' + server.address().port + '/users/7', {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Ada"}',
    });
    console.log(response.status, await response.text());
    process.exit();
  });`;

const MULTIPART = `
  try { require('express/3').multipart(); } catch (err) { console.log(err.message); }`;

/**
 * Checks that npm keeps the old versions of an application when it installs the package, and that middleware of old
 * versions works.
 */
export function checkOldVersions(tarball: string, project: string): void {
  const dependencies = { ...OLD, express: pathToFileURL(tarball).href };
  startProject(project, { dependencies });
  npmInstall(project, ['--strict-peer-deps']);
  for (const [name, expected] of Object.entries(OLD)) {
    const { version } = JSON.parse(readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8'));
    if (version !== expected) throw new Error(`${name}: expected ${expected}, npm installed ${version}`);
  }
  expectPrinted(project, APPLICATION, '200 {"id":"7","name":"Ada","session":"string"}');
  expectPrinted(
    project,
    MULTIPART,
    'nozomi/3 multipart() needs version 1 or later of the package "busboy", and finds 0.3.1: npm install busboy@1',
  );
}

/** Checks that npm builds the package when it installs it from a git address. */
export function checkGitInstall(project: string): void {
  startProject(project, {});
  const clone = join(project, 'clone.git');
  run('git', ['clone', '--quiet', '--bare', '--no-hardlinks', root, clone], project);
  npmInstall(project, [`express@git+${pathToFileURL(clone).href}`]);
  const printed =
    "console.log(typeof require('express')().listen, typeof require('express/logger'), typeof require('express/3'))";
  expectPrinted(project, printed, 'function function function');
  if (existsSync(join(project, 'node_modules', 'express', 'src')))
    throw new Error('node_modules/express/src exists, but the package must not contain sources');
}

export function checkYarnPack(tarball: string, project: string): void {
  startProject(project, {});
  npmInstall(project, ['--prefix', join(project, 'tools'), 'yarn@1']);
  const yarn = join(project, 'tools', 'node_modules', '.bin', 'yarn');
  checkRepacked(tarball, project, (folder, to) =>
    run(yarn, ['pack', '--filename', join(to, 'yarn.tgz')], folder),
  );
}

export function checkBunPack(tarball: string, project: string): void {
  startProject(project, {});
  npmInstall(project, ['--prefix', join(project, 'tools'), 'bun@1']);
  const bun = join(project, 'tools', 'node_modules', '.bin', 'bun');
  checkRepacked(tarball, project, (folder, to) => run(bun, ['pm', 'pack', '--destination', to], folder));
}

/**
 * Packs the package again with another tool, and checks that it works. Some tools omit folders called `node_modules`, which
 * dist/ contains.
 *
 * @param pack Packs the package in `folder` to a tarball in the folder `to`.
 */
function checkRepacked(
  tarball: string,
  project: string,
  pack: (folder: string, to: string) => unknown,
): void {
  const [folder, to] = [join(project, 'package'), join(project, 'packed')];
  mkdirSync(to);
  unpack(tarball, folder);
  pack(folder, to);
  const [packed = ''] = readdirSync(to);
  npmInstall(project, [`express@${pathToFileURL(join(to, packed)).href}`]);
  const program = `
    const server = require('express')().get('/', (req, res) => res.send('hello')).listen(0, '127.0.0.1', async () => {
      console.log(await (await fetch('http://127.0.0.1:' + server.address().port)).text());
      process.exit();
    });`;
  expectPrinted(project, program, 'hello');
}

/**
 * Checks that `npx nozomi-parity try` works for an application that has only Express.
 *
 * @param tarballs Those of nozomi-parity and of Nozomi, which the registry does not have in these versions yet.
 */
export function checkTry(tarballs: readonly string[], project: string): void {
  startProject(project, {});
  npmInstall(project, ['express@5.3.0']);
  writeFileSync(
    join(project, 'app.js'),
    "require('express')().get('/', (req, res) => res.send('hello')).listen(3000);",
  );
  writeFileSync(join(project, 'requests.http'), 'GET /\n');
  const packages = tarballs.flatMap((tarball) => ['--package', tarball]);
  const command = ['nozomi-parity', 'try', 'app.js', '--requests', 'requests.http'];
  const expected = /equal on 1 request; CPU per request: [\s\S]*\n2 passed, 0 failed\n$/;
  expectOutput(['npx', '--yes', ...packages, ...command], project, expected);
  if (existsSync(join(project, 'node_modules', 'nozomi')))
    throw new Error('nozomi-parity try has installed Nozomi into the application');
}

function startProject(folder: string, manifest: object): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...manifest }));
}

function expectPrinted(cwd: string, program: string, expected: string): void {
  expectOutput([process.execPath, '--no-deprecation', '-e', program], cwd, expected);
}
