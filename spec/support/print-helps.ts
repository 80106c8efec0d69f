/**
 * Runs scripts with `--help`, one after the other in this process, which loads what they share only once. Prints as JSON
 * what each prints and its exit code. The arguments are the paths of the scripts.
 */
import Module from 'node:module';
import { resolve } from 'node:path';
import type { Ended } from './command';

const { exit } = process;
// Each script listens to the signals that end it.
process.setMaxListeners(0);

async function helpOf(script: string): Promise<Ended> {
  const printed = { output: '', errors: '' };
  console.log = (text: string) => {
    printed.output += `${text}\n`;
  };
  console.error = (text: string) => {
    printed.errors += `${text}\n`;
  };
  process.argv = [process.execPath, resolve(script), '--help'];
  const ended = new Promise<void>((settle) => {
    process.exit = (() => settle()) as typeof exit;
  });
  Module.runMain();
  await ended;
  return { ...printed, code: Number(process.exitCode) };
}

async function main(): Promise<void> {
  const all: Ended[] = [];
  for (const script of process.argv.slice(2)) all.push(await helpOf(script));
  process.exitCode = 0;
  process.stdout.write(JSON.stringify(all), () => exit());
}

void main();
