/** A seeded fault: one small change to one file of a copy of dist/. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../../parity/implementations/implementations';
import { CORE, extentIn } from '../build/pack';

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
  return readBuilt(file).text.split(search).length - 1;
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
  const { search, replace } = fault;
  const { file, before, text, after } = readBuilt(fault.file);
  // A function, because `$` means something in a replacement text.
  const faulty = text.replace(search, () => replace);
  writeFileSync(join(folder, 'dist', file), `${before}${faulty}${after}`);
}

/** The text of a module, in its own file or in that of many. */
function readBuilt(file: string): { file: string; before: string; text: string; after: string } {
  const core = readFileSync(join(ROOT, 'dist', CORE), 'utf8');
  const extent = extentIn(core, file.replace(/\.js$/, ''));
  if (!extent) return { file, before: '', text: readFileSync(join(ROOT, 'dist', file), 'utf8'), after: '' };
  const { start, end } = extent;
  return { file: CORE, before: core.slice(0, start), text: core.slice(start, end), after: core.slice(end) };
}
