/** Refuses to load modules while requests are served, as if the folder of packages had been replaced. */
import { readFileSync } from 'node:fs';
import Module, { isBuiltin } from 'node:module';
import { join, sep } from 'node:path';

type Load = (this: unknown, id: string, parent: NodeModule | undefined, ...rest: unknown[]) => unknown;

/**
 * Makes `require` throw for modules that are not loaded yet, if this package or one of its dependencies requires them.
 *
 * @param root The folder of this package.
 * @param isRefused Whether to refuse now.
 */
export function refuseLoading(root: string, isRefused: () => boolean): void {
  const dependencies = dependenciesOf(root);
  const folders = [join(root, 'dist'), ...[...dependencies].map((name) => join(root, 'node_modules', name))];
  const isOurs = (file: string): boolean => folders.some((folder) => file.startsWith(folder + sep));
  // A cast, because @types/node declares none of these members.
  const loader = Module as unknown as {
    _load: Load;
    _resolveFilename(id: string, parent: unknown): string;
    _cache: Record<string, unknown>;
  };
  const { _load } = loader;
  let depth = 0;

  loader._load = function (id, parent, ...rest) {
    // A view engine is the choice of the application, which names it.
    const isChosen = !/^[./]/.test(id) && !dependencies.has(id);
    const isChecked = depth === 0 && isOurs(parent?.filename ?? '') && !isBuiltin(id) && !isChosen;
    if (isChecked && isRefused() && !loader._cache[loader._resolveFilename(id, parent)]) {
      throw Object.assign(new Error(`${id} is loaded while a request is served`), {
        code: 'MODULE_NOT_FOUND',
      });
    }
    depth++;
    try {
      return Reflect.apply(_load, this, [id, parent, ...rest]);
    } finally {
      depth--;
    }
  };
}

/** @returns The names of the run-time dependencies of a package, and of their dependencies. */
function dependenciesOf(root: string): Set<string> {
  const found = new Set<string>();
  const add = (folder: string): void => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) {
      if (found.has(name)) continue;
      found.add(name);
      add(join(root, 'node_modules', name));
    }
  };
  add(root);
  return found;
}
