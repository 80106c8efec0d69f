// Compiles spec/types as separate applications with `skipLibCheck: false`. Needs a build.
//
//   npm run check -- types           with TypeScript 5, 6 and 7
//   npm run check -- types 7          only with TypeScript 7
//   npm run check -- types --sample   in some of the ways; a step of `npm test -- --ci`
//
// The specs compile as CommonJS and as ES modules, with several kinds of `module`, and with this package installed as
// `nozomi` and as `express`. With the name `express`, applications that were written for Express 5 and 4
// (spec/types/programs, programs4, augmented) compile too. As a control, the same applications compile against @types/express.
// Applications without `esModuleInterop` (spec/types/without-interop) compile with TypeScript 5 and 6, because
// TypeScript 7 has no such setting.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { each, WIDTH } from '../../parity/each';
import { temporaryFolder } from '../../parity/temporary-folder';
import { type Count, runCommand, toNames } from '../command';
import { compile } from '../compiler';
import { manifestOf } from '../package/tarball';

interface Program {
  /** The `type` in package.json. */
  type: 'commonjs' | 'module';
  module: string;
  moduleResolution: string;
  compiler: string;
  alias: 'nozomi' | 'express';
  /** The major version of Express that the package and @types/express stand for. */
  series: '5' | '4';
  /** Whether this package is installed. If not, the compilation is a control. */
  hasPackage: boolean;
  /** Whether @types/express of the same major version is installed. */
  hasTypes: boolean;
  /** Whether `esModuleInterop` is on. */
  hasInterop: boolean;
}

const root = join(__dirname, '..', '..');
const work = temporaryFolder('types');

const COMPILERS: Readonly<Record<string, string>> = {
  5: 'typescript-5',
  6: '@typescript/typescript6',
  7: 'typescript',
};
const MODULES = [
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'node20', moduleResolution: 'node16' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
] as const;

/** The kind of `module` that `--sample` compiles for each `type`, with the name `nozomi` and TypeScript 7. */
const OF_SAMPLE = { commonjs: 'node16', module: 'nodenext' };

const WITHOUT_INTEROP = 'without-interop';

const PACKAGE = { series: '5', hasPackage: true, hasTypes: false, hasInterop: true } as const;

runCommand({
  allowPositionals: true,
  options: { sample: { type: 'boolean', default: false } },
  run: ({ positionals, values }) => compileAll(values.sample ? sample() : programs(positionals)),
});

async function compileAll(all: readonly Program[]): Promise<Count> {
  const assertions = countAssertions();
  let failed = 0;
  await each(all, WIDTH, async (program, number) => {
    const errors = await compileProgram(program, number);
    if (!errors) return;
    failed++;
    console.error(`${describe(program)}\n${errors}`);
  });
  console.log(`${assertions} assertions, compiled in ${all.length} ways`);
  return { passed: all.length - failed, failed };
}

function programs(versions: readonly string[]): Program[] {
  toNames(versions, Object.keys(COMPILERS));
  const list: Program[] = [];
  for (const [version, compiler] of Object.entries(COMPILERS)) {
    if (versions.length > 0 && !versions.includes(version)) continue;
    for (const kind of MODULES) {
      for (const type of ['commonjs', 'module'] as const)
        list.push({ ...PACKAGE, type, ...kind, compiler, alias: 'nozomi', hasTypes: true });
    }
    const commonjs = { ...PACKAGE, type: 'commonjs', ...MODULES[0], compiler, alias: 'express' } as const;
    const modules = { ...commonjs, type: 'module', ...MODULES[2] } as const;
    for (const series of ['5', '4'] as const) {
      list.push({ ...commonjs, series }, { ...modules, series });
      list.push({ ...modules, series, hasTypes: true, hasPackage: false });
    }
    list.push({ ...commonjs, series: '4', hasTypes: true });
    if (version === '7') continue;
    const plain = { ...commonjs, hasInterop: false };
    const old = { ...plain, module: 'commonjs', moduleResolution: 'node10' };
    list.push({ ...plain, alias: 'nozomi' }, { ...old, alias: 'nozomi', hasTypes: true });
    for (const series of ['5', '4'] as const) {
      list.push({ ...old, series }, { ...old, series, hasTypes: true, hasPackage: false });
    }
  }
  return list;
}

/**
 * @returns With TypeScript 7, the programs with this package, and of those with the name `nozomi` one for each `type`. With
 * TypeScript 5, the programs without `esModuleInterop` in its oldest setting, which TypeScript 7 does not have.
 */
function sample(): Program[] {
  const newest = programs(['7']).filter(
    ({ alias, type, module, hasPackage }) => hasPackage && (alias !== 'nozomi' || OF_SAMPLE[type] === module),
  );
  const older = programs(['5']).filter(
    ({ moduleResolution, hasPackage }) => hasPackage && moduleResolution === 'node10',
  );
  return [...newest, ...older];
}

/**
 * Creates an application and compiles it.
 *
 * @param number Names the folder of the application.
 * @returns The errors of TypeScript, or `''`.
 */
async function compileProgram(program: Program, number: number): Promise<string> {
  const folder = join(work, String(number));
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  installPackages(join(folder, 'node_modules'), program);
  if (!program.hasInterop) copyWithoutInterop(folder, program);
  else if (program.hasPackage && program.series === '5') {
    for (const file of specFiles()) {
      const source = readFileSync(join(root, 'spec', 'types', file), 'utf8');
      writeFileSync(join(folder, file), source.replace(/'nozomi(\/\w+)?'/g, `'${program.alias}$1'`));
    }
  }
  if (program.hasInterop && program.alias === 'express') {
    // programs4/augmentations.ts overwrites that of programs/.
    for (const name of program.series === '4' ? ['programs', 'programs4'] : ['programs'])
      cpSync(join(root, 'spec', 'types', name), join(folder, 'programs'), { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: program.type }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configOf(program)));

  // TypeScript 7 has threads of its own, but several compilations run at once.
  const options = program.compiler === COMPILERS[7] ? ['--singleThreaded'] : [];
  const errors = await compile(program.compiler, folder, ['-p', folder, ...options]);
  if (!program.hasInterop || program.alias !== 'express') return errors;
  // On its own, because what it adds to the types would change them for the other files.
  const augmented = join(folder, 'augmented');
  cpSync(join(root, 'spec', 'types', 'augmented'), augmented, { recursive: true });
  const config = {
    extends: '../tsconfig.json',
    compilerOptions: { composite: false, declaration: false },
    include: ['*.ts'],
  };
  writeFileSync(join(augmented, 'tsconfig.json'), JSON.stringify(config));
  return errors + (await compile(program.compiler, augmented, ['-p', augmented, ...options]));
}

/** Copies the programs without `esModuleInterop`: those for the name `express`, or that for the name `nozomi`. */
function copyWithoutInterop(folder: string, { alias }: Program): void {
  for (const file of alias === 'express' ? ['required.ts', 'star.ts'] : ['package.ts'])
    cpSync(join(root, 'spec', 'types', WITHOUT_INTEROP, file), join(folder, file));
}

/** Fills a `node_modules`: links the packages of this checkout, copies their types, and copies this package. */
function installPackages(modules: string, { alias, series, hasPackage, hasTypes }: Program): void {
  const skipped = new Set(['nozomi', 'express', '.bin', '.package-lock.json']);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!skipped.has(name) && name !== '@types')
      symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
  }
  // Copy the types instead of linking them: those that import `express` must find the package in this node_modules.
  const target = join(modules, '@types');
  mkdirSync(target);
  const installed = join(root, 'node_modules', '@types');
  for (const name of readdirSync(installed)) {
    if (!['express', 'express4'].includes(name))
      cpSync(join(installed, name), join(target, name), { recursive: true });
  }
  cpSync(join(root, 'spec', 'types', 'packages'), target, { recursive: true });
  if (hasTypes) {
    const types = join(installed, series === '4' ? 'express4' : 'express');
    for (const file of ['package.json', 'index.d.ts'])
      cpSync(join(types, file), join(target, 'express', file));
    // The dependencies of @types/express 4 overwrite those of @types/express 5.
    if (series === '4') cpSync(join(types, 'node_modules', '@types'), target, { recursive: true });
  }
  if (!hasPackage) return;
  const home = join(modules, alias);
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifestOf(series)));
  cpSync(join(root, 'dist'), join(home, 'dist'), { recursive: true });
}

function configOf({ compiler, module, moduleResolution, hasInterop }: Program): object {
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'esnext.disposable'],
    module,
    moduleResolution,
    types: ['node'],
    strict: true,
    esModuleInterop: hasInterop,
    // TypeScript 6 reports settings that TypeScript 7 does not have.
    ...(compiler === COMPILERS[6] && { ignoreDeprecations: '6.0' }),
    skipLibCheck: false,
    noEmit: true,
    // Creates declarations, which report an exported value whose type has no public name.
    composite: true,
  };
  return { compilerOptions, include: ['*.ts', 'programs/*.ts', 'programs/*.cts'] };
}

function specFiles(): string[] {
  return filesIn('').filter((file) => file.endsWith('.ts'));
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, 'spec', 'types', folder)).map((file) => join(folder, file));
}

function countAssertions(): number {
  const files = [...specFiles(), ...filesIn('programs4'), ...filesIn(WITHOUT_INTEROP)];
  const sources = files.map((file) => readFileSync(join(root, 'spec', 'types', file), 'utf8'));
  return sources.join('').match(/expectTypeOf[<(]|@ts-expect-error/g)?.length ?? 0;
}

function describe({
  compiler,
  type,
  module,
  alias,
  series,
  hasPackage,
  hasTypes,
  hasInterop,
}: Program): string {
  const installed = [hasPackage ? `as ${alias} ${series}` : '', hasTypes ? `@types/express ${series}` : ''];
  const interop = hasInterop ? '' : ', without esModuleInterop';
  return `✗ ${compiler}, ${type}, module ${module}${interop}, ${installed.filter(Boolean).join(' beside ')}`;
}
