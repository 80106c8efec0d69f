/**
 * Runs the command of this folder that the process was started with. `--help` prints the comment at the start of its
 * script. An invalid option prints one line. Exit code: 0 on success, 1 if the command found a fault, 2 if it could not run.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { GROUPS } from './groups';

type Options = NonNullable<ParseArgsConfig['options']>;
type Given<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

export interface Command<O extends Options> {
  readonly options?: O;
  readonly allowPositionals?: boolean;
  /** @returns Whether the command found no fault. A count is printed as the last line, which `npm test` adds up. */
  run(given: Given<O>): boolean | Count | Promise<boolean | Count>;
}

export interface Count {
  readonly passed: number;
  readonly failed: number;
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
    console.error(`${commandName()}: ${error.message}`);
    end(2);
  });
}

async function run<O extends Options>(command: Command<O>): Promise<number> {
  const { options, allowPositionals = false } = command;
  let given: Given<O>;
  try {
    given = parseArgs({ options: { ...options, ...HELP }, allowPositionals }) as Given<O>;
  } catch (error) {
    // Keep the first sentence of Node.js's message. The second only explains how to write a positional argument.
    throw new TypeError(`${(error as Error).message.split('. ', 1)}; see --help`);
  }
  if ((given.values as { help?: boolean }).help) {
    console.log(headComment(process.argv[1] ?? ''));
    return 0;
  }
  const result = await command.run(given);
  if (typeof result === 'boolean') return result ? 0 : 1;
  const { passed, failed } = result;
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** @returns The name in its group, as `words`; for other scripts, that of the npm script, or of the file. */
export function commandName(): string {
  const script = relative(__dirname, process.argv[1] ?? '').replaceAll('\\', '/');
  const [name] = Object.values(GROUPS).flatMap((commands) =>
    Object.keys(commands).filter((one) => commands[one] === script),
  );
  return name ?? process.env.npm_lifecycle_event ?? script.replace(/(\/run)?\.ts$/, '');
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

/**
 * Checks names that the user gives.
 *
 * @param option The option with the names, for the message of the error; absent for arguments.
 * @throws TypeError for an unknown name; its message lists the known ones.
 */
export function toNames<Name extends string>(
  given: readonly string[],
  known: readonly Name[],
  option?: string,
): Name[] {
  return given.map((name) => {
    const found = known.find((one) => one === name);
    if (found !== undefined) return found;
    const place = option === undefined ? '' : `--${option}: `;
    throw new TypeError(`${place}expected some of ${known.join(', ')}, got "${name}"`);
  });
}
