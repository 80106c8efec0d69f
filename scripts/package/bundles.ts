/** Bundles the application of `consumer.ts` into one file, and runs the file in a folder without packages. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { npmInstall } from '../../parity/harness/packages';
import { run } from '../../parity/harness/processes';
import { ANSWERS, application, type ModuleKind } from './consumer';
import { expectOutput } from './expect';

const KINDS: readonly ModuleKind[] = ['commonjs', 'module'];
// Defines `require` for a bundle that is an ES module, as the documentation of esbuild advises.
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/**
 * Bundles with esbuild, as CommonJS and as an ES module, minified and not, and runs the bundles.
 *
 * @param home A project with the package installed as `express`.
 * @param alone The folder for the bundles, outside of any project, so that they cannot load packages.
 */
export async function checkEsbuild(home: string, alone: string): Promise<void> {
  for (const kind of KINDS) {
    for (const minify of [false, true]) {
      const outfile = join(alone, `esbuild-${minify ? 'small' : 'plain'}.${extensionOf(kind)}`);
      await build({
        entryPoints: [writeEntry(home, kind)],
        outfile,
        minify,
        bundle: true,
        platform: 'node',
        format: kind === 'module' ? 'esm' : 'cjs',
        banner: kind === 'module' ? { js: REQUIRE } : {},
        logLevel: 'error',
      });
      expectOutput([process.execPath, outfile], alone, ANSWERS);
    }
  }
}

/** Like `checkEsbuild`, but with webpack of the npm registry, which is installed in `home`, and only minified. */
export function checkWebpack(tarball: string, home: string, alone: string): void {
  npmInstall(home, [`express@file:${tarball}`, 'webpack@5']);
  for (const kind of KINDS) {
    const name = `webpack.${extensionOf(kind)}`;
    const config = {
      mode: 'production',
      target: 'node20',
      context: home,
      entry: writeEntry(home, kind),
      ...(kind === 'module' ? { experiments: { outputModule: true } } : {}),
      output: { path: alone, filename: name, ...(kind === 'module' ? { module: true } : {}) },
    };
    const script = `require('webpack')(${JSON.stringify(config)}, (err, stats) => {
      if (err || stats.hasErrors()) throw err ?? new Error(stats.toString('errors-only'));
    });`;
    run(process.execPath, ['-e', script], home);
    expectOutput([process.execPath, name], alone, ANSWERS);
  }
}

export function writeViews(folder: string): void {
  mkdirSync(join(folder, 'files'), { recursive: true });
  writeFileSync(join(folder, 'files', 'hello.txt'), 'Hello NAME\n');
}

function writeEntry(home: string, kind: ModuleKind): string {
  const entry = join(home, `application.${extensionOf(kind)}`);
  writeFileSync(entry, application(kind));
  return entry;
}

function extensionOf(kind: ModuleKind): string {
  return kind === 'module' ? 'mjs' : 'cjs';
}
