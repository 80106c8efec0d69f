// Runs one of the commands of a group.
//
//   npm run check                     lists the commands of a group: check, generate or bench
//   npm run check -- words            runs one of them
//   npm run check -- words --help     prints its options
import { execFileSync } from 'node:child_process';
import Module from 'node:module';
import { join } from 'node:path';
import { headComment } from './command';
import { GROUPS } from './groups';
import { formatLine } from './table';

/** The commands that test the build as installed, so they need a current one. */
const BUILT = new Set(['applications', 'ecosystem']);

if (require.main === module) main(process.argv[2] ?? '', process.argv[3]);

function main(group: string, name: string | undefined): void {
  const commands = GROUPS[group];
  const file = name === undefined ? undefined : commands?.[name];
  if (file === undefined) {
    const isAsked = name === undefined || name === '--help';
    for (const [one, script] of Object.entries(commands ?? {}))
      (isAsked ? console.log : console.error)(formatLine([one, summaryOf(script)], [-22]));
    if (isAsked) return;
    console.error(`${group}: expected one of these commands, got "${name}"`);
    process.exitCode = 2;
    return;
  }
  if (BUILT.has(name as string))
    execFileSync('npm', ['run', '--silent', 'build'], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
  process.argv.splice(1, 3, join(__dirname, file));
  // As the main module, because specs import a part of some scripts, which therefore check `require.main`.
  Module.runMain();
}

/** Returns the first sentence of the comment at the start of a script. */
function summaryOf(script: string): string {
  return (
    headComment(join(__dirname, script))
      .replaceAll('\n', ' ')
      .split(/(?<=\.) /, 1)[0] ?? ''
  );
}
