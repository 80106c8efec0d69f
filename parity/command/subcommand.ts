/** What `nozomi-parity record`, `migrate`, `routes` and `doctor` share: help, arguments after `--`, errors. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { NotStarted } from '../inspect/inspect';

type Options = NonNullable<ParseArgsConfig['options']>;

interface Given<O extends Options> {
  readonly values: ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>['values'];
  readonly positionals: readonly string[];
  /** The arguments after `--`, which are for the application. */
  readonly behind: readonly string[];
}

interface Subcommand<O extends Options> {
  readonly name: string;
  /** The output of `--help`. */
  readonly help: string;
  /** The options for `parseArgs`, without `--help`. */
  readonly options: O;
  /** Runs the command and returns its exit code. If it throws, the message is printed and the code is 2. */
  run(given: Given<O>): Promise<number>;
}

/**
 * A subcommand of `nozomi`. It resolves with the exit code.
 *
 * @param args The arguments after the name of the command.
 */
export type Command = (args: readonly string[]) => Promise<number>;

export function subcommand<const O extends Options>({ name, help, options, run }: Subcommand<O>): Command {
  return async (args) => {
    try {
      const end = args.indexOf('--');
      const { values, positionals } = parseArgs({
        args: [...(end < 0 ? args : args.slice(0, end))],
        allowPositionals: true,
        options: { ...options, help: { type: 'boolean', short: 'h' } },
      });
      if ('help' in values) {
        process.stdout.write(help);
        return 0;
      }
      const behind = end < 0 ? [] : args.slice(end + 1);
      return await run({ values: values as Given<O>['values'], positionals, behind });
    } catch (error) {
      console.error(`${name}: ${(error as Error).message}`);
      if (error instanceof NotStarted && error.output) console.error(error.output);
      return 2;
    }
  };
}

/**
 * Returns the path of the application.
 *
 * @throws TypeError if none is given, or several are.
 */
export function onlyFile(positionals: readonly string[], command: string): string {
  const [file, ...more] = positionals;
  if (file === undefined) throw new TypeError(`no application given: nozomi-parity ${command} app.js`);
  if (more.length > 0) throw new TypeError(`expected one application, got ${positionals.join(' ')}`);
  return file;
}
