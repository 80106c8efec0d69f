// Tests the types: changes the name or the type of one public member at a time in a copy of src/, and checks that the copy
// no longer compiles.
//
//   npm run check -- mutate-types              every fault
//   npm run check -- mutate-types --only req.  only faults with this text in their name
//
// scripts/mutate/type-faults.yaml lists the faults. Exit code 1 if a fault compiles. Exit code 2 if the code of a fault does
// not occur exactly once in its file, or if the copy does not compile without a fault.
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { each, WIDTH } from '../../parity/each';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';
import { runCommand } from '../command';
import { compile } from '../compiler';
import { applyFault, type Fault, TYPE_FAULTS } from './faults';

const root = join(__dirname, '..', '..');
// Allow unused imports, because they would reveal most faults instead of the types. Single-threaded, because several
// compilations run at once.
const OPTIONS = ['-p', 'tsconfig.build.json', '--noEmit', '--singleThreaded', '--noUnusedLocals', 'false'];

runCommand({
  options: { only: { type: 'string', default: '' } },
  async run({ values }) {
    const faults = TYPE_FAULTS.filter(({ name }) => name.includes(values.only));
    if (faults.length === 0) throw new TypeError(`--only: no fault has "${values.only}" in its name`);
    for (const fault of TYPE_FAULTS) apply(fault);
    const clean = await compileWith();
    if (clean) throw new Error(`the copy does not compile without a fault: ${clean}`);

    let caught = 0;
    await each(faults, WIDTH, async (fault) => {
      const error = await compileWith(fault);
      if (error) caught++;
      console.log(error ? `✓ ${fault.name}\n    ${error}` : `✗ ${fault.name}: compiles`);
    });
    return { passed: caught, failed: faults.length - caught };
  },
});

/** @returns The code of the file with the fault. @throws Error unless its code occurs exactly once. */
function apply(fault: Fault): string {
  return applyFault(readFileSync(join(root, 'src', fault.file), 'utf8'), fault);
}

/** Compiles a copy of src/ with one fault, or without. @returns The first error of TypeScript; `''` without errors. */
async function compileWith(fault?: Fault): Promise<string> {
  const folder = temporaryFolder('mutate-types');
  try {
    cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true });
    for (const file of ['package.json', 'tsconfig.json', 'tsconfig.build.json'])
      cpSync(join(root, file), join(folder, file));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    if (fault) writeFileSync(join(folder, 'src', fault.file), apply(fault));
    const [error = ''] = (await compile('typescript', folder, OPTIONS)).split('\n', 1);
    return error;
  } finally {
    removeFolder(folder);
  }
}
