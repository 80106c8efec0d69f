import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * Runs a TypeScript compiler.
 *
 * @param compiler The package of the compiler, such as `typescript-5`.
 * @param options Its options, such as `-p`.
 * @returns The errors that it prints; `''` without errors.
 */
export async function compile(compiler: string, folder: string, options: readonly string[]): Promise<string> {
  const tsc = join(dirname(require.resolve(`${compiler}/package.json`)), 'bin', 'tsc');
  try {
    await execute(process.execPath, [tsc, ...options], { cwd: folder, maxBuffer: 2 ** 26 });
    return '';
  } catch (error) {
    const { stdout, stderr, message } = error as { stdout: string; stderr: string; message: string };
    return stdout + stderr || message;
  }
}
