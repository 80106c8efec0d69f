/**
 * Runs a command of this folder. `--help` prints the comment at the start of its script. An invalid option prints one
 * line. Exit code: 0 on success, 1 if the command found a fault, 2 if it could not run.
 */
import { readFileSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;
type Given<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

export interface Command<O extends Options> {
  /** The name in `scripts/group.ts`, or in package.json. */
  readonly name: string;
  /** The script's `__filename`. */
  readonly file: string;
  readonly options?: O;
  readonly allowPositionals?: boolean;
  readonly args?: readonly string[];
  /** @returns Whether the command found no fault, or an exit code. */
  run(given: Given<O>): boolean | number | Promise<boolean | number>;
}

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

export function runCommand<O extends Options>(command: Command<O>): void {
  // Default to failure if the event loop drains early.
  process.exitCode = 2;
  // End with `process.exit`, so that `exit` listeners end child processes and remove temporary folders.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(2));
  // Run in a microtask: the constants below the call in the script are initialised first.
  const done = Promise.resolve(command).then(run);
  done.then(end, (error: Error) => {
    console.error(`${command.name}: ${error.message}`);
    end(2);
  });
}

async function run<O extends Options>(command: Command<O>): Promise<number> {
  const { file, options, allowPositionals = false, args = process.argv.slice(2) } = command;
  let given: Given<O>;
  try {
    given = parseArgs({ args: [...args], options: { ...options, ...HELP }, allowPositionals }) as Given<O>;
  } catch (error) {
    // Keep the first sentence of Node.js's message. The second only explains how to write a positional argument.
    throw new TypeError(`${(error as Error).message.split('. ', 1)}; see --help`);
  }
  if ((given.values as { help?: boolean }).help) {
    console.log(headComment(file));
    return 0;
  }
  const result = await command.run(given);
  return typeof result === 'number' ? result : result ? 0 : 1;
}

/** Ends the process after standard output is flushed: on some systems, writes to a pipe are asynchronous. */
function end(code: number): void {
  process.exitCode = code;
  process.stdout.write('', () => process.exit());
}

/** @returns The line comments at the start of a script, without `//`. */
export function headComment(file: string): string {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith('//')),
    )
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n');
}

/**
 * Parses the value of an option.
 *
 * @param option The name of the option, for the message of the error.
 * @param least The minimum; default 1.
 * @throws TypeError unless the text is a whole number of at least `least`.
 */
export function toCount(option: string, text: string, least = 1): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count) || count < least)
    throw new TypeError(`--${option}: expected a whole number from ${least} on, got "${text}"`);
  return count;
}
