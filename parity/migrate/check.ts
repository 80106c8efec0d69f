/** Plays recorded requests to an application before and after its migration. */
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parity } from '../command/command';
import { temporaryFolder } from '../temporary-folder';
import type { Migrated } from './migrate';

/**
 * Plays the requests to a copy of the application's folder, so that the folder itself does not change.
 *
 * @param file The file that starts the application, or exports it.
 * @param args The options for `nozomi parity`.
 * @returns The exit code of `nozomi parity`.
 */
export async function checkMigration(
  file: string,
  migrated: readonly Migrated[],
  args: readonly string[],
): Promise<number> {
  const folder = projectOf(resolve(file));
  const copy = copyOf(folder);
  const write = (key: 'before' | 'after'): void => {
    for (const one of migrated) {
      const path = relative(folder, resolve(one.name));
      if (path.startsWith('..'))
        throw new TypeError(`${one.name} is not in ${folder}, the folder of ${file}`);
      writeFileSync(join(copy, path), one[key]);
    }
  };
  const application = join(copy, relative(folder, resolve(file)));
  return parity([application, ...withDefaults(args)], (isCandidate) =>
    write(isCandidate ? 'after' : 'before'),
  );
}

/** The default baseline is the application's own Express, the default candidate Express 5. */
function withDefaults(args: readonly string[]): string[] {
  return args.includes('--candidate') ? [...args] : [...args, '--candidate', 'nozomi/5'];
}

/** The nearest folder with a package.json, or the folder of the file. */
function projectOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return dirname(file);
  }
}

/** Copies a folder to a place from which the same packages are found. */
function copyOf(folder: string): string {
  const above = ancestorsOf(folder).filter((one) => existsSync(join(one, 'node_modules')));
  const top = above.at(-1) ?? folder;
  const root = temporaryFolder('migrate');
  const copy = join(root, relative(dirname(top), folder));
  cpSync(folder, copy, {
    recursive: true,
    filter: (path) => path !== join(folder, 'node_modules') && basename(path) !== '.git',
  });
  for (const one of above) {
    const at = join(root, relative(dirname(top), one));
    mkdirSync(at, { recursive: true });
    symlinkSync(join(one, 'node_modules'), join(at, 'node_modules'), 'junction');
  }
  return copy;
}

/** A folder and its parents, without the root. */
function ancestorsOf(folder: string): string[] {
  return folder.endsWith(sep) ? [] : [folder, ...ancestorsOf(dirname(folder))];
}
