#!/usr/bin/env node
/** The command `nozomi` of the package. */
import { parity } from './command';

const HELP = `nozomi parity    compares Nozomi with Express: your application, or scenarios; --help tells more\n`;

const [command, ...args] = process.argv.slice(2);
if (command === 'parity') {
  void parity(args).then((code) => {
    process.exitCode = code;
  });
} else {
  const isAsked = command === undefined || command === '--help' || command === '-h';
  process[isAsked ? 'stdout' : 'stderr'].write(isAsked ? HELP : `nozomi: no command "${command}"\n${HELP}`);
  process.exitCode = isAsked ? 0 : 2;
}
