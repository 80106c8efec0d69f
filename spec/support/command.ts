/** Runs programs of Node.js as a user does, such as `nozomi-parity`, and waits until they end. */
import { type ExecFileOptions, execFile } from 'node:child_process';
import { join } from 'node:path';

export const ROOT: string = join(__dirname, '..', '..');
/** The program of `nozomi-parity`. */
export const COMMAND: string = join(ROOT, 'dist', 'parity', 'command', 'bin.js');
/** Small applications to compare, and requests to them. */
export const APPLICATIONS: string = join(ROOT, 'spec', 'parity', 'applications');

export interface Ended {
  /** The exit code; -1 if a signal ended the program. */
  readonly code: number;
  /** Standard output. */
  readonly output: string;
  /** Standard error. */
  readonly errors: string;
}

/** @param options The default of `cwd` is the root of the repository. */
export function runNode(
  args: readonly string[],
  { node = process.execPath, ...options }: ExecFileOptions & { node?: string } = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const all = { cwd: ROOT, maxBuffer: 1e8, ...options, encoding: 'utf8' as const };
    const child = execFile(node, args, all, (_error, output, errors) => {
      resolve({ code: child.exitCode ?? -1, output, errors });
    });
  });
}

export function runParity(args: readonly string[], options?: Parameters<typeof runNode>[1]): Promise<Ended> {
  return runNode([COMMAND, ...args], options);
}
