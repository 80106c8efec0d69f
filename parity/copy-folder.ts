/** Copies the folder of an application to a temporary folder, to run it with other files. */
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { removeFolder, temporaryFolder } from './temporary-folder';

/**
 * Calls a function with the path of a copy of a folder, and removes the copy.
 *
 * @param name A word for the name of the temporary folder.
 */
export async function inCopy<T>(folder: string, name: string, use: (copy: string) => Promise<T>): Promise<T> {
  const root = temporaryFolder(name);
  try {
    return await use(copyInto(folder, root));
  } finally {
    removeFolder(root);
  }
}

/**
 * Copies a folder with the times of its files, and links to the same `node_modules`, also those of parent folders.
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

/** Whether `copyInto` would copy at most this number of files. */
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
