/** Compares an application before and after its migration, with `nozomi-parity`. */
import { cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Migrated } from '../migrate/migrate';
import { temporaryFolder } from '../temporary-folder';
import { parity } from './command';

/**
 * Runs `nozomi-parity` on a copy of the application's folder. The baseline uses the original files, the candidate the
 * migrated files. The folder itself does not change.
 *
 * @param file The file that starts the application, or exports it.
 * @param migrated The results of `migrate`.
 * @param args The options for `nozomi-parity`.
 * @returns The exit code of `nozomi-parity`; 2 also if a migrated file is outside the application's folder.
 */
export async function checkMigration(
  file: string,
  migrated: readonly Migrated[],
  args: readonly string[],
): Promise<number> {
  // Real paths: the copy contains links to the original files, and must not be written through them.
  const start = realpathSync(file);
  const folder = projectOf(start);
  const copy = copyOf(folder);
  const write = (key: 'before' | 'after'): void => {
    for (const one of migrated) {
      const path = relative(folder, realpathSync(one.name));
      if (path.startsWith('..'))
        throw new TypeError(`${one.name} is not in ${folder}, the folder of ${file}`);
      // An unchanged file keeps its bytes, which its text may not have if it is not UTF-8.
      if (one.before !== one.after) writeFileSync(join(copy, path), one[key]);
    }
  };
  const application = join(copy, relative(folder, start));
  return parity([application, ...withDefaults(args)], (isCandidate) =>
    write(isCandidate ? 'after' : 'before'),
  );
}

/** Adds the default candidate `nozomi/5`. Without `--baseline`, the baseline is the application's own Express. */
function withDefaults(args: readonly string[]): string[] {
  return args.includes('--candidate') ? [...args] : [...args, '--candidate', 'nozomi/5'];
}

/** The nearest folder above a file that contains a package.json; if there is none, the folder of the file. */
function projectOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return dirname(file);
  }
}

/** Copies a folder to a temporary folder, with links to the same `node_modules`, also those of parent folders. */
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

/** A folder and its parents, without the root of the file system. */
function ancestorsOf(folder: string): string[] {
  return folder.endsWith(sep) ? [] : [folder, ...ancestorsOf(dirname(folder))];
}
