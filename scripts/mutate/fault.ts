/** Writes a copy of the build with a seeded fault: one small change to one compiled module. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../../parity/implementations/implementations';
import { bundle, isCompiled, readCompiled } from '../build/bundle';

export interface Fault {
  /** A sentence that says what the fault does wrong. */
  readonly name: string;
  /** The path below `build/`, the output of tsc; or of a source that specs load, such as `parity/recorder/scrub.ts`. */
  readonly file: string;
  /** The code to replace. It must occur in the file exactly once. */
  readonly search: string;
  readonly replace: string;
  /** The ids of the clauses that the fault breaks. */
  readonly breaks: readonly string[];
  /** Whether only a framework in a vm context, as in Jest, shows the fault. */
  readonly inRealm?: true;
  /** The spec that must catch the fault, because no exchange and no log line shows it; undefined for the scenarios. */
  readonly spec?: string;
  /** Why nothing can show the fault. */
  readonly survives?: string;
}

export interface Seeded extends Fault {
  readonly module: string;
}

/** @returns How often `search` occurs in the file of a fault; 0 if there is no such file. */
export function countIn({ file, search }: Fault): number {
  const name = nameOf(file);
  if (isSource(file)) return readFileSync(join(ROOT, file), 'utf8').split(search).length - 1;
  return isCompiled(name) ? readCompiled(name).split(search).length - 1 : 0;
}

/** Whether a fault is in a tool, whose specs load its sources. */
export function isSource(file: string): boolean {
  return file.endsWith('.ts');
}

/** Writes a fault to the copy of a source. */
export function changeSource(folder: string, { file, search, replace }: Fault): void {
  const text = readFileSync(join(folder, file), 'utf8');
  writeFileSync(
    join(folder, file),
    text.replace(search, () => replace),
  );
}

/** Writes a copy of the build to an empty folder, with a fault in it or unchanged. */
export async function writeCopy(folder: string, fault?: Fault): Promise<void> {
  const dist = join(folder, 'dist');
  cpSync(join(ROOT, 'dist'), dist, {
    recursive: true,
    filter: (path) => basename(path) !== 'parity' && !/\.d\.m?ts$|\.map$/.test(path),
  });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  if (!fault || isSource(fault.file)) return;
  const { search, replace } = fault;
  const name = nameOf(fault.file);
  // Pass a function: in a replacement string, `$` would have a special meaning.
  await bundle(dist, { name, text: readCompiled(name).replace(search, () => replace) });
}

function nameOf(file: string): string {
  return file.replace(/\.js$/, '');
}
