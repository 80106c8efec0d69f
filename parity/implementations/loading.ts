/** Refuses to load modules while requests are served, as if the folder of packages had been replaced. */
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { interceptLoading, loader } from '../modules';
import { manifestOf } from './implementations';

/**
 * Makes `require` throw for modules that are not loaded yet, if Nozomi or one of its dependencies requires them.
 *
 * @param isRefused Whether to refuse now.
 */
export function refuseLoading(isRefused: () => boolean): void {
  const { folder: root } = manifestOf('nozomi');
  const dependencies = dependenciesOf(root);
  const folders = [join(root, 'dist'), ...dependencies.values()];
  const isOurs = (file: string): boolean => folders.some((folder) => file.startsWith(folder + sep));
  let depth = 0;

  interceptLoading((next, id, parent) => {
    const from = parent?.filename ?? '';
    // A view engine is the choice of the application, which names it.
    const isChosen = !/^[./]/.test(id) && !dependencies.has(id);
    // iconv-lite loads its encodings with the first body that needs them, with Express, too.
    const isEncodings = id === '../encodings' && from.startsWith(`${dependencies.get('iconv-lite')}${sep}`);
    const isChecked = depth === 0 && isOurs(from) && !isBuiltin(id) && !isChosen && !isEncodings;
    if (isChecked && isRefused() && !loader._cache[loader._resolveFilename(id, parent)]) {
      throw Object.assign(new Error(`${id} is loaded while a request is served`), {
        code: 'MODULE_NOT_FOUND',
      });
    }
    depth++;
    try {
      return next();
    } finally {
      depth--;
    }
  });
}

/** @returns The folders of the run-time dependencies of a package, and of their dependencies, by name. */
function dependenciesOf(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const add = (from: string): void => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) {
      if (found.has(name) || name.startsWith('@types/')) continue;
      const folder = folderOf(name, from);
      if (folder === undefined) continue;
      found.set(name, folder);
      add(folder);
    }
  };
  add(root);
  return found;
}

/** Finds a package as Node.js does. Not by `require.resolve`, because a package may have no main file. */
function folderOf(name: string, from: string): string | undefined {
  for (let parent = from; ; parent = dirname(parent)) {
    const folder = join(parent, 'node_modules', name);
    if (existsSync(folder)) return folder;
    if (parent === dirname(parent)) return undefined;
  }
}
