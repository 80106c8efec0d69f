/** A seeded fault: one small change to one file of a copy of dist/. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../../parity/worlds';

export interface Fault {
  /** A sentence: what the program does wrong. */
  readonly name: string;
  /** Below `dist/`. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly search: string;
  readonly replace: string;
  /** The clauses that do not hold any more. */
  readonly breaks: readonly string[];
  /** Why no exchange and no log line can show it, where that is so. */
  readonly survives?: string;
}

export interface Seeded extends Fault {
  readonly room: string;
}

/** How often the text that a fault searches stands in its file. */
export function countIn({ file, search }: Fault): number {
  return readBuilt(file).split(search).length - 1;
}

/** Writes what `npm run build` made, with the fault if there is one, into an empty folder. */
export function writeCopy(folder: string, fault?: Fault): void {
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => basename(path) !== 'parity' && !/\.d\.m?ts$|\.map$/.test(path),
  });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  if (!fault) return;
  const { file, search, replace } = fault;
  // A function, because `$` means something in a replacement text.
  writeFileSync(
    join(folder, 'dist', file),
    readBuilt(file).replace(search, () => replace),
  );
}

function readBuilt(file: string): string {
  return readFileSync(join(ROOT, 'dist', file), 'utf8');
}
