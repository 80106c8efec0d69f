#!/usr/bin/env node
/** The command `nozomi-parity`: compares implementations, or runs the subcommand that its first argument names. */
import { parity } from './command';
import { doctor } from './doctor';
import { migrateCommand } from './migrate';
import { record } from './record';
import { routes } from './routes';
import type { Command } from './subcommand';

const SUBCOMMANDS: Readonly<Record<string, Command>> = { record, migrate: migrateCommand, routes, doctor };

const [name = '', ...args] = process.argv.slice(2);
const run = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
void (run ? run(args) : parity(process.argv.slice(2))).then((code) => {
  process.exitCode = code;
});
