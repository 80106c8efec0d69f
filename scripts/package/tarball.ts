/**
 * Creates the tarballs to publish, all from the same build. Each stands for one major version of Express and has its version
 * number and interface, so that `npm install express@npm:nozomi@3` replaces Express 3.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from 'esbuild';
import { run } from '../../parity/harness/processes';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { reexport } from '../build/reexport';
import { unlinkMissing } from '../links';
import { root } from './tree';

export const SERIES = ['5', '4', '3'] as const;
export type Series = (typeof SERIES)[number];

type Manifest = Record<string, unknown> & {
  version: string;
  files: string[];
  exports: Record<string, unknown>;
  dependencies: Record<string, string>;
  typesVersions: { '*': Record<string, string[]> };
};

/** The files in which esbuild indents each module twice, which makes up a tenth of their size. */
const BUNDLE = /^dist\/(parts|extras|openapi)\//;

/** Creates one tarball from the current build. @returns The path of the tarball. */
export function makeTarball(series: Series, destination: string): string {
  return packFolder(manifestOf(series), destination, (folder) => {
    const replaced = series === '5' ? undefined : new RegExp(`^(dist/express${series}/)?lib/`);
    for (const file of listFiles().filter((path) => !replaced?.test(path))) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(root, file), join(folder, file));
      if (!/\.m?js$/.test(file)) continue;
      removeMapComment(join(folder, file));
      if (BUNDLE.test(file)) removeIndentation(join(folder, file));
    }
    if (series !== '5') writeLib(series, folder);
  });
}

/**
 * Packs a temporary folder. In its pages, links to files that the package lacks become text.
 *
 * @param manifest Its package.json.
 * @param fill Writes the other files to the folder.
 * @returns The path of the tarball.
 */
export function packFolder(manifest: object, destination: string, fill: (folder: string) => void): string {
  const folder = temporaryFolder('tarball');
  try {
    fill(folder);
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    unlinkMissing(folder);
    return join(destination, npmPack(folder, ['--pack-destination', destination]).filename);
  } finally {
    removeFolder(folder);
  }
}

/** Removes the last line of a file, which names its source map: the package has none. */
function removeMapComment(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\/\/# sourceMappingURL=.*\n?$/, ''));
}

/** Removes the indentation of modules, but none in templates. @throws Error if the code would change. */
function removeIndentation(file: string): void {
  const text = readFileSync(file, 'utf8');
  const shorter = text.replace(/`(?:[^`\\]|\\[\s\S])*`|^ {4}/gm, (found) =>
    found.startsWith('`') ? found : '',
  );
  const [before, after] = [text, shorter].map((one) => transformSync(one, { minifyWhitespace: true }).code);
  if (before !== after) throw new Error(`${file}: another indentation would change the code`);
  writeFileSync(file, shorter);
}

/** Writes `lib/`, whose files re-export those that applications require by path. */
function writeLib(series: '3' | '4', folder: string): void {
  reexport(join(folder, 'lib'), join(folder, 'dist', `express${series}`, 'node_modules', 'express', 'lib'));
}

interface Packed {
  filename: string;
  files: Array<{ path: string }>;
}

/** @returns The paths of the files that npm packs, from the root. */
function listFiles(): string[] {
  return npmPack(root, ['--dry-run']).files.map(({ path }) => path);
}

function npmPack(folder: string, options: readonly string[]): Packed {
  const packed: Packed[] | Record<string, Packed> = JSON.parse(
    run('npm', ['pack', '--ignore-scripts', '--json', ...options], folder),
  );
  return Object.values(packed)[0] as Packed;
}

/** @returns The package.json of a tarball, without the members that only a checkout needs. */
export function manifestOf(series: Series): Manifest {
  const { scripts, devDependencies, ...manifest } = readManifest(join(root, 'package.json'));
  if (series === '5') return manifest;
  return asEarlier(series, manifest);
}

/**
 * Additional dependencies of earlier versions. Augmentations of `express-serve-static-core` only apply to one copy of that
 * package, so `nozomi/4` must be able to share version 4 with @types/express 4.
 */
const CORE_TYPES = {
  '3': {},
  '4': { '@types/express-serve-static-core': '^4.17.33 || ^5.1.3' },
} satisfies Record<'3' | '4', Record<string, string>>;

/** Makes the entry point for Express 3 or 4 the main one, and sets the version of that Express. */
function asEarlier(series: '3' | '4', manifest: Manifest): Manifest {
  const own = manifest.exports[`./${series}`];
  const types = `./dist/express${series}/index.d.ts`;
  return {
    ...manifest,
    dependencies: { ...manifest.dependencies, ...CORE_TYPES[series] },
    version: readManifest(require.resolve(`express${series}/package.json`)).version,
    main: `./dist/express${series}/index.js`,
    types,
    // Export lib/, because libraries require the router and the layers of Express by path.
    exports: {
      ...manifest.exports,
      '.': own,
      './index.js': own,
      './lib/router': './lib/router/index.js',
      './lib/*': './lib/*.js',
      './lib/*.js': './lib/*.js',
      [`./${series}/lib/router`]: './lib/router/index.js',
      [`./${series}/lib/*`]: './lib/*.js',
    },
    typesVersions: { '*': { ...manifest.typesVersions['*'], 'index.js': [types] } },
  };
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8'));
}
