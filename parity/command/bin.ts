#!/usr/bin/env node
/** The command `nozomi-parity`: compares implementations, or runs the subcommand that its first argument names. */
import { manifestOf } from '../implementations/implementations';
import { OVERVIEW, TOPICS } from './help';
import type { Command } from './subcommand';

/** Each subcommand loads only its own modules: those of `migrate` and `openapi` take longer than `routes` runs. */
const SUBCOMMANDS: Readonly<Record<string, Command>> = {
  record: (args) => (require('./record') as typeof import('./record')).record(args),
  try: (args) => (require('./try') as typeof import('./try')).tryCommand(args),
  migrate: (args) => (require('./migrate') as typeof import('./migrate')).migrateCommand(args),
  routes: (args) => (require('./routes') as typeof import('./routes')).routes(args),
  doctor: (args) => (require('./doctor') as typeof import('./doctor')).doctor(args),
  dev: (args) => (require('./dev') as typeof import('./dev')).dev(args),
  openapi: (args) => (require('./openapi') as typeof import('./openapi')).openapi(args),
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
void (run ? run(args) : compare(process.argv.slice(2))).then((code) => {
  process.exitCode = code;
});

function compare(all: readonly string[]): Promise<number> {
  return (require('./command') as typeof import('./command')).parity(all);
}

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
