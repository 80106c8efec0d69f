// Who is measured. What is not a dependency of this project is in packages/, and installed there when it is asked for.
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface Peer {
  name: string;
  /** Of programs/open.cjs. */
  program: string;
  /** Whose bytes it writes: those that claim Express's must equal the reference's. */
  claims: 'express' | 'own';
  /** Paths of modules, for the programs that serve several. */
  framework?: string;
  logger?: string;
}

const root = join(__dirname, '..', '..');

export const PEERS: Readonly<Record<string, () => Peer>> = {
  bare: () => ({ name: 'bare', program: 'bare', claims: 'express' }),
  'bare again': () => ({ name: 'bare again', program: 'bare', claims: 'express' }),
  nozomi: () => buildIn(root),
  express: () => ({
    name: 'express',
    program: 'express',
    claims: 'express',
    framework: require.resolve('express'),
    logger: require.resolve('morgan'),
  }),
};

/** @throws RangeError naming those there are. */
export function peersNamed(names: readonly string[]): Peer[] {
  return names.map((name) => {
    const peer = PEERS[name];
    if (peer) return peer();
    throw new RangeError(`--peers: wanted some of ${Object.keys(PEERS).join(', ')}; got ${name}`);
  });
}

/** The build of a checkout of this project. @throws where there is none. */
export function buildIn(folder: string, name = 'nozomi'): Peer {
  const { resolve } = createRequire(join(folder, 'package.json'));
  return {
    name,
    program: 'express',
    claims: 'express',
    framework: resolve('./dist/index.js'),
    logger: resolve('./dist/logger/index.js'),
  };
}
