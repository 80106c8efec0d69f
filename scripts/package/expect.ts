import { spawnSync } from 'node:child_process';

interface ExpectOptions {
  /** Variables that replace those of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** The expected exit code; default 0. */
  readonly status?: number;
}

/**
 * Runs a program, and checks its exit code and what it prints.
 *
 * @param command The program and its arguments. It is killed after two minutes.
 * @param expected The whole standard output without white space around it, or a pattern for a part of the output.
 * @throws Error with the output if it is another.
 */
export function expectOutput(
  [program = '', ...args]: readonly string[],
  cwd: string,
  expected: string | RegExp,
  { env, status = 0 }: ExpectOptions = {},
): void {
  const {
    error,
    signal,
    status: code,
    stdout,
    stderr,
  } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 120_000,
  });
  // Without an exit code and a signal, the program did not start.
  if (error && code === null && !signal) throw error;
  const printed = `${stdout}${stderr}`;
  const isWanted =
    typeof expected === 'string'
      ? stdout.trim() === expected
      : expected.test(stdout) || expected.test(printed);
  if (isWanted && code === status) return;
  const command = [program, ...args].join(' ');
  throw new Error(
    `${command}: expected exit code ${status} and ${expected}, got ${signal ?? code}\n${printed}`,
  );
}
