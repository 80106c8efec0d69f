import { execFileSync } from 'node:child_process';

/** Runs a command and returns its standard output. If the command fails, prints all output. @throws Error if it fails. */
export function run(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (err) {
    const { stdout, stderr } = err as { stdout: string; stderr: string };
    console.error(stdout + stderr);
    throw new Error(`${command} ${args.join(' ')} failed, see the output above`);
  }
}
