#!/usr/bin/env node
/** The command `nozomi-parity`: compares implementations, or runs the subcommand that its first argument names. */
import { manifestOf } from '../implementations/implementations';
import { parity } from './command';
import { doctor } from './doctor';
import { OVERVIEW, TOPICS } from './help';
import { migrateCommand } from './migrate';
import { openapi } from './openapi';
import { record } from './record';
import { routes } from './routes';
import type { Command } from './subcommand';
import { tryCommand } from './try';

const SUBCOMMANDS: Readonly<Record<string, Command>> = {
  ...{ record, try: tryCommand, migrate: migrateCommand, routes, doctor, openapi },
};

const COMMANDS: Readonly<Record<string, Command>> = { ...SUBCOMMANDS, help, version };

const [given = '', ...args] = process.argv.slice(2);
const name = given === '--version' ? 'version' : given;
const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
// The reader of a pipe has enough, such as `head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
void (run ? run(args) : parity(process.argv.slice(2))).then((code) => {
  process.exitCode = code;
});

async function help([command = '']: readonly string[]): Promise<number> {
  if (Object.hasOwn(SUBCOMMANDS, command)) return SUBCOMMANDS[command]?.(['--help']) ?? 2;
  const topic = Object.hasOwn(TOPICS, command) ? TOPICS[command] : undefined;
  process.stdout.write(topic ?? OVERVIEW);
  return command === '' || topic !== undefined ? 0 : 2;
}

async function version(): Promise<number> {
  console.log(manifestOf(__filename).version);
  return 0;
}
