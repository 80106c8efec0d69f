/** Lists the dependencies of packages from package-lock.json, and counts the files of installed packages. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Installed {
  name: string;
  version: string;
  licence: string;
  /** The name of the licence file; undefined if the package has none or is not installed. */
  licenceFile: string | undefined;
  hasInstallScript: boolean;
  /** The path from the root of the project: `node_modules/qs`. */
  folder: string;
}

export interface Weight {
  files: number;
  bytes: number;
}

interface Locked {
  version: string;
  license?: string;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export const root = join(__dirname, '..', '..');

const locked: Record<string, Locked> = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
).packages;

/**
 * Lists all dependencies of some packages, also indirect ones, sorted by name.
 *
 * @param tops The folders of the packages in package-lock.json; `''` is this package.
 * @returns The dependencies, without the packages themselves unless one depends on another.
 */
export function packagesBelow(...tops: readonly string[]): Installed[] {
  const seen = new Set<string>();
  const visit = (folder: string): void => {
    const { dependencies, optionalDependencies } = locked[folder] as Locked;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = lookup(name, folder);
      if (seen.has(found)) continue;
      seen.add(found);
      visit(found);
    }
  };
  for (const top of tops) visit(top);
  return [...seen].map(describe).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Counts the files of a package and their bytes, without those of its node_modules.
 *
 * @param folder An absolute path, or a path from the root of the project.
 */
export function weigh(folder: string): Weight {
  const home = resolve(root, folder);
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.startsWith('node_modules'))
    .map((file) => statSync(join(home, file)))
    .filter((file) => file.isFile());
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

export function sum(weights: readonly Weight[]): Weight {
  return weights.reduce(
    (total, { files, bytes }) => ({ files: total.files + files, bytes: total.bytes + bytes }),
    { files: 0, bytes: 0 },
  );
}

/** Resolves a dependency as Node.js does, with the nearest node_modules first. @returns The folder of the package. */
function lookup(name: string, from: string): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const found = `${folder && `${folder}/`}node_modules/${name}`;
    if (locked[found]) return found;
    if (folder === '') throw new Error(`${from} needs ${name}, which package-lock.json does not contain`);
  }
}

function describe(folder: string): Installed {
  const { version, license, hasInstallScript } = locked[folder] as Locked;
  const home = join(root, folder);
  return {
    name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version,
    licence: license ?? 'none stated',
    licenceFile: existsSync(home) ? readdirSync(home).find((file) => /^licen[cs]e/i.test(file)) : undefined,
    hasInstallScript: hasInstallScript === true,
    folder,
  };
}
