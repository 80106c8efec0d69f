/** Writes a copy of the build with a seeded fault: one small change to one compiled module. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../../parity/implementations/project';
import { bundle, isCompiled, readCompiled } from '../build/bundle';
import { applyFault, type Fault } from './faults';

/** Whether a fault is in a tool, and its file a path below the root of the project. */
function isOfTool({ file }: Fault): boolean {
  return /^(?:dist\/)?parity\//.test(file);
}

/** @returns The compiled module or the source with a fault. @throws Error unless the code of the fault occurs exactly once. */
export function textWith(fault: Fault): string {
  if (isOfTool(fault)) return applyFault(readFileSync(join(ROOT, fault.file), 'utf8'), fault);
  const name = nameOf(fault.file);
  return applyFault(isCompiled(name) ? readCompiled(name) : '', fault);
}

/**
 * Writes a copy of the build to an empty folder, with a fault in it or unchanged.
 *
 * @param hasTools Whether to copy the compiled tools, too.
 */
export async function writeCopy(folder: string, fault?: Fault, hasTools = false): Promise<void> {
  const dist = join(folder, 'dist');
  cpSync(join(ROOT, 'dist'), dist, {
    recursive: true,
    filter: (path) => (hasTools || basename(path) !== 'parity') && !/\.d\.m?ts$|\.map$/.test(path),
  });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  if (fault && !isOfTool(fault)) await bundle(dist, { name: nameOf(fault.file), text: textWith(fault) });
}

/** Writes the fault of a tool to its copy. */
export function changeTool(folder: string, fault: Fault): void {
  if (isOfTool(fault)) writeFileSync(join(folder, fault.file), textWith(fault));
}

function nameOf(file: string): string {
  return file.replace(/\.js$/, '');
}
