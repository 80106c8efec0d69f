/** Copies the folder of an application to a temporary folder, to run it with other files. */
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { temporaryFolder } from './temporary-folder';

/**
 * Copies a folder, with links to the same `node_modules`, also those of parent folders.
 *
 * @param name A word for the name of the temporary folder.
 * @returns The copy, and the temporary folder that contains it.
 */
export function copyFolder(folder: string, name: string): { readonly copy: string; readonly root: string } {
  const root = temporaryFolder(name);
  return { copy: copyInto(folder, root), root };
}

/**
 * Copies a folder as `copyFolder` does, with the times of its files.
 *
 * @param root An empty folder, in which the copy is created.
 * @returns The path of the copy.
 */
export function copyInto(folder: string, root: string): string {
  const above = ancestorsOf(folder).filter((one) => existsSync(join(one, 'node_modules')));
  const top = above.at(-1) ?? folder;
  const copy = join(root, relative(dirname(top), folder));
  cpSync(folder, copy, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => path !== join(folder, 'node_modules') && isCopied(basename(path)),
  });
  for (const one of above) {
    const at = join(root, relative(dirname(top), one));
    mkdirSync(at, { recursive: true });
    symlinkSync(join(one, 'node_modules'), join(at, 'node_modules'), 'junction');
  }
  return copy;
}

/** Whether `copyFolder` would copy at most this number of files. */
export function hasAtMost(files: number, folder: string): boolean {
  const folders = [folder];
  let count = 0;
  for (const one of folders) {
    for (const entry of readdirSync(one, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || !isCopied(entry.name)) continue;
      if (entry.isDirectory()) folders.push(join(one, entry.name));
      else if (++count > files) return false;
    }
  }
  return true;
}

function isCopied(name: string): boolean {
  return name !== '.git';
}

/** The nearest folder above a file that contains a package.json; if there is none, the folder of the file. */
export function packageFolderOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return dirname(file);
  }
}

/** A folder and its parents, without the root of the file system. */
function ancestorsOf(folder: string): string[] {
  return folder.endsWith(sep) ? [] : [folder, ...ancestorsOf(dirname(folder))];
}
