/** Creates the tarball of `nozomi-parity`: the commands and functions of parity/, which applications need only to test. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import root from '../../package.json';
import { packFolder } from './tarball';
import { root as home } from './tree';

const NAME = 'nozomi-parity';
/** The folder of the build whose files become `dist/` of the package. */
export const TOOLS_FOLDER = 'dist/parity';
/** The pages for users. All are at the top of the package, so that their links to each other work. */
const PAGES = {
  'parity.md': 'README.md',
  'parity-ci.md': '',
  'hermetic.md': '',
  'routes-and-doctor.md': '',
  'migrate.md': '',
};
/** Packages that only some circumstances need. */
const PEERS = ['@sinonjs/fake-timers', 'light-my-request', 'node-mocks-http', 'serverless-http'];
const DEPENDENCIES = [
  '@babel/parser',
  '@babel/traverse',
  '@mswjs/interceptors',
  'ajv',
  'diff',
  'escape-html',
  'parseurl',
  'path-to-regexp',
];

type Versions = Readonly<Record<string, string>>;

const versions: Versions = { ...root.devDependencies, ...root.dependencies };

export const TOOLS = {
  name: NAME,
  // Versions are those of the Nozomi that the commands compare with Express.
  version: root.version,
  description:
    'Compares an Express application before and after a change of its framework: parity, record, routes, doctor, migrate',
  keywords: ['express', 'parity', 'testing', 'har', 'migration', 'routes'],
  license: root.license,
  // The workflow that publishes the packages sets it.
  repository: (root as { repository?: object }).repository,
  engines: root.engines,
  type: 'commonjs',
  main: './dist/index.js',
  types: './dist/index.d.ts',
  exports: {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './recorder': { types: './dist/recorder/index.d.ts', default: './dist/recorder/index.js' },
    './eslint': { types: './dist/eslint/index.d.ts', default: './dist/eslint/index.js' },
    './package.json': './package.json',
  },
  typesVersions: { '*': { recorder: ['./dist/recorder/index.d.ts'], eslint: ['./dist/eslint/index.d.ts'] } },
  bin: { [NAME]: 'dist/command/bin.js' },
  dependencies: {
    ...Object.fromEntries(DEPENDENCIES.map((name) => [name, versions[name] as string])),
    nozomi: `^${root.version}`,
  },
  peerDependencies: Object.fromEntries(PEERS.map((name) => [name, versions[name] as string])),
  peerDependenciesMeta: Object.fromEntries(PEERS.map((name) => [name, { optional: true }])),
} as const;

/** Creates the tarball from the current build. @returns The path of the tarball. */
export function makeTools(destination: string): string {
  return packFolder(TOOLS, destination, (folder) => {
    cpSync(join(home, TOOLS_FOLDER), join(folder, 'dist'), { recursive: true });
    cpSync(join(home, 'parity', 'action'), join(folder, 'action'), { recursive: true });
    cpSync(join(home, 'LICENSE'), join(folder, 'LICENSE'));
    for (const [page, name] of Object.entries(PAGES)) {
      const text = readFileSync(join(home, 'docs', page), 'utf8').replaceAll('](parity.md', '](README.md');
      writeFileSync(join(folder, name || page), text);
    }
  });
}
