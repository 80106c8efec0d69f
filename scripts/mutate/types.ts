// Tests the compiler's checks: renames or retypes one member of the public interface at a time in a copy of src/, and
// compiles the copy as `npm run typecheck` does. A stage of `npm test`.
//
//   npm run mutate:types                  every fault
//   npm run mutate:types -- --only req.   those whose name contains this text
//
// Exit code 1 if a fault compiles; 2 if the text of a fault does not occur exactly once in its file, or if the copy
// does not compile without a fault.
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { each, WIDTH } from '../../parity/each';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { runCommand } from '../command';
import { TYPE_FAULTS, type TypeFault } from './type-faults';

const root = join(__dirname, '..', '..');

runCommand({
  name: 'mutate:types',
  file: __filename,
  options: { only: { type: 'string', default: '' } },
  async run({ values }) {
    const faults = TYPE_FAULTS.filter(({ name }) => name.includes(values.only));
    if (faults.length === 0) throw new TypeError(`--only: no fault has ${values.only} in its name`);
    for (const fault of TYPE_FAULTS) apply(fault);
    const clean = await compile();
    if (clean) throw new Error(`the copy does not compile without a fault: ${clean}`);

    let caught = 0;
    await each(faults, WIDTH, async (fault) => {
      const error = await compile(fault);
      if (error) caught++;
      console.log(error ? `✓ ${fault.name}\n    ${error}` : `✗ ${fault.name}: compiles`);
    });
    console.log(`${caught} passed, ${faults.length - caught} failed`);
    return caught === faults.length;
  },
});

/** @returns The file with the fault. */
function apply({ name, file, search, replace }: TypeFault): string {
  const source = readFileSync(join(root, 'src', file), 'utf8');
  const found = source.split(search).length - 1;
  if (found !== 1) throw new Error(`"${name}": src/${file} has ${found} times, expected once: ${search}`);
  // A function, because `$` is special in a replacement text.
  return source.replace(search, () => replace);
}

/** @returns The first error of the compiler; `''` without any. */
async function compile(fault?: TypeFault): Promise<string> {
  const folder = temporaryFolder('mutate-types');
  try {
    cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true });
    for (const file of ['package.json', 'tsconfig.json', 'tsconfig.build.json'])
      cpSync(join(root, file), join(folder, file));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    if (fault) writeFileSync(join(folder, 'src', fault.file), apply(fault));
    return await runCompiler(folder);
  } finally {
    removeFolder(folder);
  }
}

function runCompiler(folder: string): Promise<string> {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  return new Promise((resolve, reject) => {
    // Otherwise unused imports would reveal most faults.
    const options = ['-p', 'tsconfig.build.json', '--noEmit', '--noUnusedLocals', 'false'];
    const child = spawn(process.execPath, [tsc, ...options], { cwd: folder });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0 ? '' : output.split('\n', 1)[0] || `exit code ${code}`));
  });
}
