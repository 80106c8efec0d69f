/** The ways to import Express, and the commands of runtimes, bundlers, test runners and compilers that run a program. */
import { basename, dirname, extname, join } from 'node:path';

export const FORMS = {
  require: "const express = require('express');",
  default: "import express from 'express';",
  namespace: "import * as express from 'express';",
  named:
    "import { application, json, raw, request, response, Route, Router, static as files, text, urlencoded } from 'express';\n" +
    'const express = { application, json, raw, request, response, Route, Router, static: files, text, urlencoded };',
  dynamic: "const express = import('express').then((all) => all.default);",
} as const;
export type Form = keyof typeof FORMS;

/** Prints the kind of what the function creates, that of a router, and the members that are missing. */
const REPORT = `
const names = ['Route', 'Router', 'application', 'json', 'raw', 'request', 'response', 'static', 'text', 'urlencoded'];
const report = (given) => {
  let created;
  try { created = typeof given().listen; } catch (err) { created = err.name; }
  const missing = names.filter((name) => given[name] === undefined);
  process.stdout.write('\\nRESULT ' + [created, typeof given.Router().get, ...missing].join(' ') + '\\n');
};
const done = Promise.resolve(express).then(report);
globalThis.test?.('reports', () => done);
`;

/** @returns The source of a program that reports what a form gives. */
export function programOf(form: Form): string {
  return FORMS[form] + REPORT;
}

export interface System {
  /** The packages of the npm registry that it needs. */
  readonly packages: readonly string[];
  /** The extension of a program with `import`, and of one with `require`. */
  readonly extensions: readonly [string, string];
  /** The commands that run a program; the last one prints the report. The first word may be a binary of a package. */
  commands(file: string, output: string): ReadonlyArray<readonly string[]>;
  /** The forms that create an application. Named imports only give the members. */
  readonly callable: readonly Form[];
}

const NODE = process.execPath;
const USUAL: readonly Form[] = ['require', 'default', 'dynamic'];
const ALL: readonly Form[] = ['require', 'default', 'namespace', 'dynamic'];
const BANNER =
  "--banner:js=import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** A system with one command, whose last argument is the program. */
function runner(
  packages: readonly string[],
  extensions: System['extensions'],
  ...command: readonly string[]
): System {
  return { packages, extensions, commands: (file) => [[...command, file]], callable: USUAL };
}

/** A system that writes one file, which Node.js runs. */
function bundler(
  packages: readonly string[],
  extensions: System['extensions'],
  bundle: (file: string, output: string) => readonly string[],
  callable: readonly Form[] = USUAL,
): System {
  const commands: System['commands'] = (file, output) => [bundle(file, output), [NODE, output]];
  return { packages, extensions, commands, callable };
}

const webpack = (extensions: System['extensions'], callable: readonly Form[]): System =>
  bundler(
    ['webpack@5', 'webpack-cli@6'],
    extensions,
    (file, output) => [
      'webpack',
      '--mode=production',
      '--target=node20',
      `--entry=${file}`,
      '-o',
      dirname(output),
      '--output-filename',
      basename(output),
    ],
    callable,
  );

const ROLLUP = [
  'rollup@4',
  '@rollup/plugin-commonjs@28',
  '@rollup/plugin-node-resolve@16',
  '@rollup/plugin-json@6',
];

const jest = (file: string, extension: string): readonly string[] => [
  '--rootDir',
  dirname(file),
  '--cacheDirectory',
  join(dirname(file), '.jest'),
  '--testRegex',
  `${basename(file, extension)}\\${extension}$`,
];

/** Transpiles with the function `emit` of a package, then runs the file. */
const compiler = (packages: readonly string[], emit: string, callable: readonly Form[]): System =>
  bundler(
    packages,
    ['ts', 'ts'],
    (file, output) => [
      NODE,
      '-e',
      `const text = require('fs').readFileSync(${JSON.stringify(file)}, 'utf8');
       require('fs').writeFileSync(${JSON.stringify(output)}, ${emit});`,
    ],
    callable,
  );
const tsc = (esModuleInterop: boolean): string =>
  `require('typescript').transpileModule(text, { compilerOptions: { module: 1, target: 9, esModuleInterop: ${esModuleInterop} } }).outputText`;

// biome-ignore format: a table
export const SYSTEMS: Readonly<Record<string, System>> = {
  'Node.js': runner([], ['mjs', 'cjs'], NODE),
  tsx: runner(['tsx@4'], ['ts', 'ts'], 'tsx'),
  Bun: runner(['bun@1'], ['ts', 'ts'], 'bun'),
  Deno: runner(['deno@2'], ['mts', 'cts'], 'deno', 'run', '-A', '--no-lock', '--node-modules-dir=manual', '--no-check'),
  'esbuild to CommonJS': bundler(['esbuild@0.28'], ['js', 'js'], (file, output) =>
    ['esbuild', file, '--bundle', '--platform=node', '--format=cjs', `--outfile=${output}`]),
  'esbuild to ES modules': {
    ...bundler([], ['mjs', 'cjs'], () => []),
    packages: ['esbuild@0.28'],
    commands: (file, output) => [
      ['esbuild', file, '--bundle', '--platform=node', '--format=esm', BANNER, `--outfile=${output}.mjs`],
      [NODE, `${output}.mjs`],
    ],
  },
  'webpack, .js': webpack(['js', 'js'], ALL),
  'webpack, .mjs': webpack(['mjs', 'cjs'], USUAL),
  Rollup: bundler(ROLLUP, ['mjs', 'cjs'], (file, output) => [
    'rollup', '-p', 'node-resolve={preferBuiltins: true}', '-p', 'commonjs', '-p', 'json', '-f', 'cjs',
    '--inlineDynamicImports', '-i', file, '-o', output,
  ]),
  'Jest with Babel': {
    packages: ['jest@30', '@babel/plugin-transform-modules-commonjs@7'],
    extensions: ['js', 'js'],
    commands: (file) => [[
      'jest', ...jest(file, '.js'), '--transform',
      '{"\\\\.js$":["babel-jest",{"plugins":["@babel/plugin-transform-modules-commonjs"]}]}',
    ]],
    // Babel leaves `import()`, which Jest only runs with the option of the next system.
    callable: ['require', 'default'],
  },
  'Jest with ES modules': {
    packages: ['jest@30'],
    extensions: ['mjs', 'cjs'],
    commands: (file) => [[
      NODE, '--experimental-vm-modules', join('node_modules', 'jest', 'bin', 'jest.js'), ...jest(file, extname(file)),
      '--moduleFileExtensions', 'mjs', 'cjs', 'js', 'json', '--transform', '{}',
    ]],
    callable: USUAL,
  },
  Vitest: {
    packages: ['vitest@3'],
    extensions: ['ts', 'ts'],
    commands: (file) => [['vitest', 'run', '--globals', '--root', dirname(file), '--config', join(dirname(file), 'vitest.config.mjs')]],
    callable: USUAL,
  },
  'TypeScript with esModuleInterop': compiler(['typescript@5.9'], tsc(true), USUAL),
  'TypeScript without esModuleInterop': compiler(['typescript@5.9'], tsc(false), ['require', 'namespace']),
  SWC: compiler(['@swc/core@1'], `require('@swc/core').transformSync(text, {
    swcrc: false, jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } }).code`, USUAL),
};
