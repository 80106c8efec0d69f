// The peers. Packages that this project does not depend on are installed in packages/ when needed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { install } from '../install';

export interface Peer {
  name: string;
  /** The key in programs/open.cjs. */
  program: string;
  /** Whether the responses must equal those of Express. */
  claims: 'express' | 'own';
  /** The modules that the peer loads: paths, or names of packages in packages/. */
  loads: readonly string[];
  /** Whether the modules are ES modules only. */
  isModule?: boolean;
  /** The logger, for the server that several peers share. */
  logger?: string;
  /** The version; undefined for Node.js. */
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

/** @throws TypeError that lists the known peers. */
export function peersNamed(names: readonly string[]): Peer[] {
  return names.map((name) => {
    const peer = PEERS[name];
    if (peer) return peer();
    throw new TypeError(`--peers: expected some of ${Object.keys(PEERS).join(', ')}; got "${name}"`);
  });
}

/** The build of a checkout of this project. @throws if there is none. */
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
