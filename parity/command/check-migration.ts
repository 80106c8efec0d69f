/** Compares an application before and after its migration, with `nozomi-parity`. */
import { realpathSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inCopy, packageFolderOf } from '../copy-folder';
import type { Migrated } from '../migrate/migrate';
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
  const folder = packageFolderOf(start);
  return inCopy(folder, 'migrate', async (copy) => {
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
  });
}

/** Adds the default candidate `nozomi/5`. Without `--baseline`, the baseline is the application's own Express. */
function withDefaults(args: readonly string[]): string[] {
  return args.includes('--candidate') ? [...args] : [...args, '--candidate', 'nozomi/5'];
}
