#!/usr/bin/env node
/** The command `nozomi`: runs one of its subcommands. */
import { parity } from './command';
import { doctor } from './doctor';
import { migrateCommand } from './migrate';
import { record } from './record';
import { routes } from './routes';
import type { Command } from './subcommand';

const HELP = `nozomi parity    compares Nozomi with Express: your application, or scenarios
nozomi record    starts your application and records its requests and responses, for nozomi parity
nozomi migrate   rewrites an application of Express 4 for Express 5; --check compares it before and after
nozomi routes    prints the routes and the middleware of your application in the order in which they run
nozomi doctor    lists mistakes in your application, each with file, line and a way to fix it

nozomi <command> --help lists the options of a command.
`;

const COMMANDS: Readonly<Record<string, Command>> = {
  parity,
  record,
  migrate: migrateCommand,
  routes,
  doctor,
};

const [name, ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name ?? ''] : undefined;
if (command) {
  void command(args).then((code) => {
    process.exitCode = code;
  });
} else {
  const isHelp = name === undefined || name === '--help' || name === '-h';
  process[isHelp ? 'stdout' : 'stderr'].write(
    isHelp ? HELP : `nozomi: unknown command "${name}"; the commands are:\n${HELP}`,
  );
  process.exitCode = isHelp ? 0 : 2;
}
