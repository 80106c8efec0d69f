import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../../parity/temporary-folder';

const root = join(__dirname, '..', '..', '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const PEERS: Readonly<Record<string, string>> = {
  bodyParser: 'busboy',
  multipart: 'busboy',
  compress: 'compression',
  cookieParser: 'cookie-parser',
  csrf: 'csrf',
  directory: 'serve-index',
  methodOverride: 'method-override',
  session: 'express-session',
  favicon: 'serve-favicon',
  errorHandler: 'errorhandler',
  timeout: 'connect-timeout',
  responseTime: 'response-time',
  vhost: 'vhost',
};

/**
 * Runs a program in which `require` cannot find these packages.
 *
 * @param hiddenFrom The folder whose files cannot find them. Default: all.
 * @returns The text that it prints.
 */
function without(packages: readonly string[], program: string, hiddenFrom = ''): string {
  const hide = `
    const { Module } = require('node:module');
    const resolve = Module._resolveFilename;
    Module._resolveFilename = function (name, ...rest) {
      const from = rest[0]?.filename ?? '';
      if (${JSON.stringify(packages)}.includes(name) && from.startsWith(${JSON.stringify(hiddenFrom && join(root, hiddenFrom))})) name = name + '-missing';
      try { return resolve.call(this, name, ...rest); }
      catch (err) { err.message = err.message.replace('-missing', ''); throw err; }
    };`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--no-deprecation', '-e', hide + program], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(status, stderr).to.equal(0);
  return stdout.trim();
}

proves('F-9.3-101');
describe('nozomi/3, the packages of its middleware', () => {
  it('are neither dependencies nor peer dependencies', () => {
    expect(manifest).to.not.have.any.keys('peerDependencies', 'peerDependenciesMeta');
    expect(manifest.dependencies).to.not.have.any.keys(Object.values(PEERS));
  });

  it('are loaded from the folder of the application, if those of Nozomi do not contain them', () => {
    const application = temporaryFolder('optional');
    for (const [name, version] of [
      ['compression', '1.0.0'],
      ['busboy', '0.3.1'],
    ] as const) {
      const folder = join(application, 'node_modules', name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version }));
      writeFileSync(join(folder, 'index.js'), `module.exports = () => '${name} of the application';`);
    }
    const main = join(application, 'main.js');
    writeFileSync(
      main,
      `const express3 = require(${JSON.stringify(join(root, 'dist', 'express3'))});
      console.log(express3.compress());
      try { express3.multipart(); } catch (err) { console.log(err.code); }`,
    );

    // Once as the main file, and once from the working directory.
    const hidden = ['busboy', 'busboy/package.json', 'compression'];
    for (const program of [
      `process.argv[1] = ${JSON.stringify(main)}; require(process.argv[1]);`,
      `process.chdir(${JSON.stringify(application)}); require(${JSON.stringify(main)});`,
    ])
      expect(without(hidden, program, 'dist').split('\n')).to.deep.equal([
        'compression of the application',
        'NOZOMI_PACKAGE_TOO_OLD',
      ]);
  });

  it('are not loaded by require("nozomi") or require("nozomi/3")', () => {
    const names = [...new Set(Object.values(PEERS))];

    for (const entry of ['nozomi', 'nozomi/3']) {
      const printed = without(names, `require('${entry}'); console.log('loaded');`);
      expect(printed, entry).to.equal('loaded');
    }
  });

  it('middleware throws an error with the name of a missing package, and the npm command', () => {
    const names = [...new Set(Object.values(PEERS))];
    const program = `
      const express3 = require('nozomi/3');
      const told = {};
      for (const name of ${JSON.stringify(Object.keys(PEERS))}) {
        try { express3[name]('.', () => {}); } catch (err) { told[name] = [err.code, err.cause.code, err.message]; }
      }
      console.log(JSON.stringify(told));`;

    const told = JSON.parse(without(names, program));

    for (const [name, peer] of Object.entries(PEERS)) {
      const expected = name === 'bodyParser' ? 'multipart' : name;
      expect(told[name], name).to.deep.equal([
        'NOZOMI_PACKAGE_MISSING',
        'MODULE_NOT_FOUND',
        `nozomi/3 ${expected}() needs the package "${peer}", which is not installed: npm install ${peer}`,
      ]);
    }
  });

  it('middleware throws an error with the name of a package that is too old, and the version to install', () => {
    const old = { busboy: '0.3.1', 'method-override': '1.0.2', 'response-time': '1.0.0' };
    const program = `
      for (const [name, version] of Object.entries(${JSON.stringify(old)})) require(name + '/package.json').version = version;
      const express3 = require('nozomi/3');
      for (const make of ['multipart', 'methodOverride', 'responseTime']) {
        try { express3[make](); } catch (err) { console.log(err.message); }
      }`;

    expect(without([], program).split('\n')).to.deep.equal([
      'nozomi/3 multipart() needs version 1 or later of the package "busboy", and finds 0.3.1: npm install busboy@1',
      'nozomi/3 methodOverride() needs version 2 or later of the package "method-override", and finds 1.0.2: npm install method-override@2',
      'nozomi/3 responseTime() needs version 2 or later of the package "response-time", and finds 1.0.0: npm install response-time@2',
    ]);
  });

  it('middleware throws the own error of a package that fails to load', () => {
    const inner = 'negotiator';
    expect(existsSync(join(root, 'node_modules', inner))).to.equal(true);

    const printed = without(
      [inner],
      `try { require('nozomi/3').compress(); } catch (err) { console.log(err.message.split('\\n')[0]); }`,
    );

    expect(printed).to.equal(`Cannot find module '${inner}'`);
  });
});
