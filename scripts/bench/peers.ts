// Lists the servers that the benchmarks compare (peers). The frameworks that are not dependencies of this project are
// installed in packages/ on first use.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { install } from '../../parity/harness/packages';
import { toNames } from '../command';

export interface Peer {
  name: string;
  /** The key of its server in programs/open.cjs. */
  program: string;
  /** `express`: the responses must equal those of Express; `own`: they may differ. */
  claims: 'express' | 'own';
  /** The modules of the framework: paths, or names of packages in packages/. */
  loads: readonly string[];
  /** Load the modules with `import()`, because they are ES modules only. */
  isModule?: boolean;
  /** The path of the logger module, for programs/express.cjs: the logger of this build, or morgan. */
  logger?: string;
  /** The path of the module `nozomi/http2`, if its server serves the application. */
  http2?: string;
  /** The version of the framework; undefined for bare node:http. */
  version?: string;
}

const root = join(__dirname, '..', '..');
const packages = join(__dirname, 'packages');

export const PEERS: Readonly<Record<string, () => Peer>> = {
  bare: () => bare('bare'),
  'bare again': () => bare('bare again'),
  nozomi: () => buildIn(root),
  express: () => ({
    name: 'express',
    program: 'express',
    claims: 'express',
    loads: [require.resolve('express')],
    logger: require.resolve('morgan'),
    version: versionIn(root, 'express'),
  }),
  'nozomi/4': () => ({
    ...buildIn(root, 'nozomi/4'),
    claims: 'own',
    loads: [join(root, 'dist', 'express4', 'index.js')],
  }),
  'express 4': () => ({
    name: 'express 4',
    program: 'express',
    claims: 'own',
    loads: [require.resolve('express4')],
    logger: require.resolve('morgan'),
    version: versionIn(root, 'express4'),
  }),
  fastify: () => other('fastify', ['fastify']),
  hono: () => other('hono', ['hono', '@hono/node-server']),
  koa: () => other('koa', ['koa', '@koa/router']),
  polka: () => other('polka', ['polka']),
  tinyhttp: () => ({ ...other('tinyhttp', ['@tinyhttp/app']), isModule: true }),
  h3: () => ({ ...other('h3', ['h3']), isModule: true }),
  restana: () => other('restana', ['restana']),
};

/** @throws TypeError for an unknown name; its message lists the known ones. */
export function peersNamed(names: readonly string[]): Peer[] {
  return toNames(names, Object.keys(PEERS), 'peers').flatMap((name) => PEERS[name]?.() ?? []);
}

/**
 * Creates a peer that runs the build of a checkout of this project.
 *
 * @param folder The root of the checkout.
 * @param name The name of the peer in the results.
 * @throws Error with code `MODULE_NOT_FOUND` if the checkout is not built.
 */
export function buildIn(folder: string, name = 'nozomi'): Peer {
  const { resolve } = createRequire(join(folder, 'package.json'));
  return {
    name,
    program: 'express',
    claims: 'express',
    loads: [resolve('./dist/index.js')],
    logger: resolve('./dist/logger/index.js'),
    version: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version,
  };
}

function bare(name: string): Peer {
  return { name, program: 'bare', claims: 'express', loads: [] };
}

function other(name: string, loads: readonly [string, ...string[]]): Peer {
  install(packages, 'bench');
  return { name, program: name, claims: 'own', loads, version: versionIn(packages, loads[0]) };
}

function versionIn(folder: string, package_: string): string {
  return JSON.parse(readFileSync(join(folder, 'node_modules', package_, 'package.json'), 'utf8')).version;
}
