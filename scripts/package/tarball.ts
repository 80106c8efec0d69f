/**
 * Makes the tarballs to publish: one for each series of Express, from the same build. Main entry point and version are
 * those of the series, so that `npm install express@npm:nozomi@3` replaces Express 3.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { unlinkMissing } from './links';
import { run } from './run';
import { root } from './tree';

export const SERIES = ['5', '4', '3'] as const;
export type Series = (typeof SERIES)[number];

type Manifest = Record<string, unknown> & {
  version: string;
  files: string[];
  exports: Record<string, unknown>;
  typesVersions: { '*': Record<string, string[]> };
};

/** @returns Path of the tarball. Build first. */
export function makeTarball(series: Series, destination: string): string {
  const folder = temporaryFolder('tarball');
  try {
    const manifest = manifestOf(series);
    const paths = listFiles().map(({ path }) => path);
    const files = paths.filter((path) => manifest.files.includes('lib') || !path.startsWith('lib/'));
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(root, file), join(folder, file));
    }
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    unlinkMissing(folder);
    return join(destination, npmPack(folder, ['--pack-destination', destination]).filename);
  } finally {
    removeFolder(folder);
  }
}

interface Packed {
  filename: string;
  files: Array<{ path: string; size: number }>;
}

/** The files that npm packs, sizes in bytes. */
export function listFiles(): Packed['files'] {
  return npmPack(root, ['--dry-run']).files;
}

function npmPack(folder: string, options: readonly string[]): Packed {
  const packed: Packed[] | Record<string, Packed> = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', ...options], folder),
  );
  return Object.values(packed)[0] as Packed;
}

/** package.json without members that only a checkout needs. */
function manifestOf(series: Series): Manifest {
  const { scripts, devDependencies, ...manifest } = readManifest(join(root, 'package.json'));
  if (series === '5') return manifest;
  return asEarlier(series, manifest);
}

/** With the entry point of an earlier series as the main one. */
function asEarlier(series: '3' | '4', manifest: Manifest): Manifest {
  const { './lib/*': _lib, './lib/*.js': _files, ...exported } = manifest.exports;
  const own = exported[`./${series}`];
  const types = `./dist/express${series}/index.d.ts`;
  const lib = `./dist/express${series}/lib/*.js`;
  return {
    ...manifest,
    version: readManifest(require.resolve(`express${series}/package.json`)).version,
    main: `./dist/express${series}/index.js`,
    types,
    // Libraries for Express 4 require its router and its layers by path.
    exports: {
      ...exported,
      '.': own,
      './index.js': own,
      ...(series === '4' && { './lib/*': lib, './lib/*.js': lib }),
    },
    typesVersions: { '*': { ...manifest.typesVersions['*'], 'index.js': [types] } },
    // Files of `lib` in Express 5.
    files: manifest.files.filter((file) => file !== 'lib'),
  };
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8'));
}
