import { spawnSync } from 'node:child_process';

interface Circumstances {
  /** Variables that replace those of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** The expected exit code; default 0. */
  readonly status?: number;
}

/**
 * Runs a program, and checks its exit code and what it prints.
 *
 * @param command The program and its arguments. It is killed after two minutes.
 * @param wanted The whole standard output without white space around it, or a pattern for a part of the output.
 * @throws Error with the output if it is another.
 */
export function expectOutput(
  [program = '', ...args]: readonly string[],
  cwd: string,
  wanted: string | RegExp,
  { env, status = 0 }: Circumstances = {},
): void {
  const ended = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 120_000,
  });
  const printed = `${ended.stdout}${ended.stderr}`;
  const isWanted = typeof wanted === 'string' ? ended.stdout?.trim() === wanted : wanted.test(printed);
  if (isWanted && ended.status === status) return;
  const command = [program, ...args].join(' ');
  throw new Error(`${command}: expected exit code ${status} and ${wanted}, got ${ended.status}\n${printed}`);
}
