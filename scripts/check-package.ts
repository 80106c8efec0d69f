// Whether the package is what its users will get: packs it, lets publint and attw judge the tarball, then
// installs it under the name `express` in an empty project and loads it through every door.
// Run by `npm run package`, and before a release.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..');
const work = mkdtempSync(join(tmpdir(), 'nozomi-package-'));

// The forms in which programs load Express, each printing `ok`.
const LOADERS: Readonly<Record<string, string>> = {
  'require.cjs': `
    const express = require('express');
    if (typeof express() !== 'function' || express !== express.default) throw new Error('no framework');
    if (require('express/package.json').version.split('.')[0] !== '5') throw new Error('no version 5');
    if (typeof require('express/logger') !== 'function') throw new Error('no logger');
    console.log('ok');`,
  'import.mjs': `
    import express, { Router, Route, json, raw, text, urlencoded, application, request, response } from 'express';
    import * as all from 'express';
    import logger from 'express/logger';
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.url);
    if (express !== require('express') || logger !== require('express/logger')) throw new Error('two instances');
    for (const name of ['Router', 'Route', 'json', 'raw', 'text', 'urlencoded', 'application', 'request', 'response', 'static', 'logger', 'framework']) {
      if (all[name] === undefined || all[name] !== express[name]) throw new Error('not the same: ' + name);
    }
    console.log('ok');`,
};

try {
  const tarball = pack();
  judge(tarball);
  install(tarball);
  for (const [file, source] of Object.entries(LOADERS)) load(file, source);
  console.log(`${Object.keys(LOADERS).length + 2} passed, 0 failed`);
} catch (err) {
  console.error(`package: ${(err as Error).message}`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

function pack(): string {
  const printed = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', work], root);
  const packed = JSON.parse(printed);
  const { filename } = Array.isArray(packed) ? packed[0] : Object.values<{ filename: string }>(packed)[0];
  return join(work, filename);
}

function judge(tarball: string): void {
  const bin = (name: string): string => join(root, 'node_modules', '.bin', name);
  run(bin('publint'), ['run', tarball, '--strict'], root);
  run(bin('attw'), [tarball, '--exclude-entrypoints', 'package.json'], root);
}

/** Unpack the tarball as node_modules/express, beside the dependencies that are installed here. */
function install(tarball: string): void {
  const modules = join(work, 'node_modules');
  mkdirSync(join(modules, 'express'), { recursive: true });
  run('tar', ['-xzf', tarball, '-C', join(modules, 'express'), '--strip-components=1'], work);
  symlinkSync(join(root, 'node_modules'), join(modules, 'express', 'node_modules'), 'junction');
}

function load(file: string, source: string): void {
  writeFileSync(join(work, file), source);
  const printed = run(process.execPath, [file], work).trim();
  if (printed !== 'ok') throw new Error(`${file}: wanted it to print "ok", got "${printed}"`);
}

function run(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (err) {
    const { stdout, stderr } = err as { stdout: string; stderr: string };
    console.error(stdout + stderr);
    throw new Error(`${command} ${args.join(' ')} failed`);
  }
}
