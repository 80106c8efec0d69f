/** A seeded fault: one small change to one compiled module, in a copy of dist/. */
import { cpSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../../parity/implementations/implementations';
import { bundle, isCompiled, readCompiled } from '../build/bundle';

export interface Fault {
  /** The wrong behaviour, in a sentence. */
  readonly name: string;
  /** Path below `build/`, the output of tsc. */
  readonly file: string;
  /** A text that occurs in the file exactly once. */
  readonly search: string;
  readonly replace: string;
  /** The clauses that the fault breaks. */
  readonly breaks: readonly string[];
  /** The reason why no exchange and no log line can show the fault. */
  readonly survives?: string;
}

export interface Seeded extends Fault {
  readonly module: string;
}

/** How often the text of a fault occurs in its file. */
export function countIn({ file, search }: Fault): number {
  const name = nameOf(file);
  return isCompiled(name) ? readCompiled(name).split(search).length - 1 : 0;
}

/** Writes a copy of the build to an empty folder, with the fault if there is one. */
export async function writeCopy(folder: string, fault?: Fault): Promise<void> {
  const dist = join(folder, 'dist');
  cpSync(join(ROOT, 'dist'), dist, {
    recursive: true,
    filter: (path) => basename(path) !== 'parity' && !/\.d\.m?ts$|\.map$/.test(path),
  });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  if (!fault) return;
  const { search, replace } = fault;
  const name = nameOf(fault.file);
  // A function, because `$` is special in a replacement text.
  await bundle(dist, { name, text: readCompiled(name).replace(search, () => replace) });
}

function nameOf(file: string): string {
  return file.replace(/\.js$/, '');
}
