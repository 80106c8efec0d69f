/** Specs test the sources, except those of SPECS.built. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect } from 'chai';
import manifest from '../../package.json';
import { loader } from '../../parity/modules';
import { SPECS, testsBuild } from '../../scripts/test/stages';
import { isBuildTested } from '../support/source';

const ROOT = join(__dirname, '..', '..');
/** Loads the package by its name as no spec of the sources can, or starts processes that load it. */
const NEEDS_BUILD =
  /node:child_process|\bjoin\([^)]*'dist'|import\('nozomi|\bnozomi\/(?:[34]\/)?lib\/|'dist'/;
/** Starts the sources itself. */
const STARTS_SOURCES = ['spec/scenarios.spec.ts'];
const UNLISTED = 'spec/1-execution/unlisted.spec.ts';
const FILES = readdirSync(join(ROOT, 'spec'), { recursive: true, encoding: 'utf8' })
  .map((file) => `spec/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('.spec.ts') && !/^spec\/(applications|ecosystem)\//.test(file));

/** @returns The texts of a spec, and of the modules that it shares with other specs. */
function textsOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const imported = [...text.matchAll(/^import (?!type )[^;]* from '(\.[^']*)'/gm)]
    .map(([, path = '']) => `${join(dirname(file), path)}.ts`)
    .filter((path) => /[\\/](?:spec[\\/]support|parity[\\/]harness)[\\/]/.test(path) && existsSync(path))
    .filter((path) => !/[\\/](?:coverage|inside)\.ts$/.test(path));
  return [text, ...imported.flatMap((path) => textsOf(path, seen))];
}

const needsBuild = (file: string): boolean =>
  textsOf(join(ROOT, file)).some((text) => NEEDS_BUILD.test(text));

describe('specs', () => {
  it('are listed if they start processes or read the build, because those load the package', () => {
    expect(
      FILES.filter((file) => needsBuild(file) && !testsBuild(file) && !STARTS_SOURCES.includes(file)),
    ).to.deep.equal([]);
  });

  it('are not listed otherwise', () => {
    const files = SPECS.built.filter((one) => !one.endsWith('/'));
    expect(files.filter((file) => !existsSync(join(ROOT, file)) || !needsBuild(file))).to.deep.equal([]);
  });

  it('load the sources, unless they are listed', () => {
    const names = Object.entries(manifest.exports).flatMap(([name, target]) =>
      typeof target !== 'string' && target.default.startsWith('./dist/') ? [name.replace('.', 'nozomi')] : [],
    );
    expect(names).to.include.members(['nozomi', 'nozomi/3', 'nozomi/extras']);
    for (const name of names) {
      const listed = fileFrom('spec/package.spec.ts', name);
      expect(listed).to.match(/^dist\/.*\.js$/);
      const source = listed.replace('dist/', 'src/').replace(/\.js$/, '.ts');
      expect(fileFrom(UNLISTED, name)).to.equal(isBuildTested ? listed : source);
      expect(existsSync(join(ROOT, source)), source).to.equal(true);
    }
  });

  it('cannot load the build, unless they are listed', () => {
    if (isBuildTested) return;
    for (const name of ['nozomi/lib/view', 'nozomi/4/lib/view', join(ROOT, 'dist', 'index.js')])
      expect(() => fileFrom(UNLISTED, name)).to.throw(
        /^spec\/1-execution\/unlisted.spec.ts loads (dist|lib)\/.*: add it to SPECS.built/,
      );
  });
});

/** @returns The path below the root of the repository that a spec would load. */
function fileFrom(spec: string, name: string): string {
  const filename = join(ROOT, spec);
  const parent = { id: filename, filename, paths: [] as string[], children: [] };
  return relative(ROOT, loader._resolveFilename(name, parent as unknown as NodeModule)).replaceAll(sep, '/');
}
