/**
 * Bundles the output of tsc: one file of `dist/` for each part of the package, and one for each module that other code
 * requires by path. Few files make loading faster, because Node.js spends most of that time finding and reading files.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = join(__dirname, '..', '..');
/** The folder with the output of tsc, at the paths of `src`. scripts/build.ts moves adapters for APM agents in it. */
export const COMPILED: string = join(root, 'build');

/** The bundles by name, each with a pattern for its modules. `core` contains all other modules. */
const PARTS: Readonly<Record<string, RegExp>> = {
  base: /^(http|internal)\//,
  express3: /^express3\//,
  express4: /^express4\//,
  legacy: /^legacy\//,
  logger: /^logger\//,
  transports: /^(fetch|transports)\//,
};
const CORE = 'core';

/** What tsc writes into each module with a default import. A file of `dist` needs it only once. */
const IMPORT_DEFAULT = /^var __importDefault = .*\n.*\n\};\n/m;
const SHARED = 'var __importDefault = (module) => (module?.__esModule ? module : { default: module });';

// Modules that keep a file of their own: entry points, adapters for APM agents, and `routing/promise`, whose path depd
// prints in a deprecation warning.
const OWN_FILE = /^((\w+\/)?index|(express[34]\/)?node_modules\/.*|routing\/promise)$/;

/** Replaces the code of a compiled module, to seed a fault. */
export interface ChangedModule {
  /** The path below `src`, without extension: `routing/layer`. */
  name: string;
  text: string;
}

/**
 * Writes the bundles. Each exports its modules as properties: `require('./parts/core.js')['routing/layer']`. A module
 * runs when its property is first read.
 *
 * @param dist The folder to write to.
 * @param changed A module to bundle with other code.
 * @throws {Error} if esbuild renamed a function. Applications and APM agents see the names of handlers.
 */
export async function bundle(dist: string, changed?: ChangedModule): Promise<void> {
  const modules = compiledModules();
  await build({
    absWorkingDir: root,
    entryPoints: [
      ...[CORE, ...Object.keys(PARTS)].map((part) => ({ in: `part:${part}`, out: `parts/${part}` })),
      ...modules.filter((name) => OWN_FILE.test(name)).map((name) => ({ in: fileOf(name), out: name })),
    ],
    outdir: dist,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    logLevel: 'warning',
    plugins: [parts(modules, changed)],
  });
  for (const output of new Set(modules.map(outputOf))) shareHelper(join(dist, `${output}.js`));
  checkNames(dist, modules, changed);
}

/** Adds the helper for default imports to a file that uses it, on its first line, so that source maps stay correct. */
function shareHelper(file: string): void {
  const text = readFileSync(file, 'utf8');
  if (text.includes('__importDefault(')) writeFileSync(file, text.replace('"use strict";', `$&${SHARED}`));
}

export function isCompiled(name: string): boolean {
  return existsSync(fileOf(name));
}

export function readCompiled(name: string): string {
  return readFileSync(fileOf(name), 'utf8');
}

/** @returns The names of all modules that contain code. A module that only has types has an empty source map. */
function compiledModules(): string[] {
  return readdirSync(COMPILED, { recursive: true, encoding: 'utf8' })
    .filter((file) => {
      const map = join(COMPILED, `${file}.map`);
      return file.endsWith('.js') && !(existsSync(map) && !JSON.parse(readFileSync(map, 'utf8')).mappings);
    })
    .map((file) => nameOf(join(COMPILED, file)));
}

function fileOf(name: string): string {
  return join(COMPILED, `${name}.js`);
}

function nameOf(file: string): string {
  return relative(COMPILED, file).replaceAll('\\', '/').replace(/\.js$/, '');
}

/** @returns The file of `dist` that contains a module, without extension: `parts/core`. */
export function outputOf(name: string): string {
  if (OWN_FILE.test(name)) return name;
  const [, folder] = /^(extras|openapi)\//.exec(name) ?? [];
  if (folder) return `${folder}/index`;
  const part = Object.keys(PARTS).find((one) => PARTS[one]?.test(name));
  return `parts/${part ?? CORE}`;
}

/** Creates the esbuild plugin that assigns modules to bundles, and resolves imports between bundles. */
function parts(modules: readonly string[], changed: ChangedModule | undefined): Plugin {
  return {
    name: 'parts',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^part:/ }, ({ path }) => ({
        path: path.replace('part:', 'parts/'),
        namespace: 'part',
      }));
      // In strict mode: Bun ignores the directives of modules, because esbuild puts the modules into functions.
      onLoad({ filter: /.*/, namespace: 'part' }, ({ path: part }) => ({
        contents: `"use strict";\nmodule.exports = {\n  __proto__: null,\n${modules
          .filter((name) => !OWN_FILE.test(name) && outputOf(name) === part)
          .map((name) => `  get '${name}'() { return require('./${name}.js'); },\n`)
          .join('')}};`,
        resolveDir: COMPILED,
      }));

      onResolve({ filter: /^\.{1,2}\// }, ({ path, importer, namespace, resolveDir }) => {
        if (namespace === 'member') return { path, external: true };
        const target = nameOf(require.resolve(resolve(resolveDir, path)));
        const [from, to] = [namespace === 'part' ? importer : outputOf(nameOf(importer)), outputOf(target)];
        if (from === to) return undefined;
        const file = relativePath(from, to);
        if (to === target) return { path: file, external: true };
        return { path: `${file}:${target}`, namespace: 'member', pluginData: { file, target } };
      });
      onLoad({ filter: /.*/, namespace: 'member' }, ({ pluginData: { file, target } }) => ({
        contents: `module.exports = require('${file}')['${target}'];`,
      }));

      onLoad({ filter: /\.js$/, namespace: 'file' }, ({ path }) => {
        const name = nameOf(path);
        const text = name === changed?.name ? changed.text : readCompiled(name);
        return { contents: text.replace(IMPORT_DEFAULT, '\n\n\n') };
      });
    },
  };
}

/** @returns The relative path from one file of `dist` to another, as `require` expects it. */
function relativePath(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), `${to}.js`);
  return path.startsWith('.') ? path : `./${path}`;
}

/** @throws Error if a bundle has a function that no module has: esbuild renames one that an outer scope also names. */
function checkNames(dist: string, modules: readonly string[], changed: ChangedModule | undefined): void {
  const texts = modules.map((name) => (name === changed?.name ? changed.text : readCompiled(name)));
  const known = new Set(['__require', ...texts.flatMap(namesIn)]);
  for (const output of new Set(modules.map(outputOf))) {
    const renamed = namesIn(readFileSync(join(dist, `${output}.js`), 'utf8')).filter(
      (name) => !known.has(name),
    );
    if (renamed.length > 0)
      throw new Error(`dist/${output}.js: esbuild renamed functions to ${renamed}. ${ADVICE}`);
  }
}

const ADVICE =
  'Each has the same name as a function around it: rename one of them, or use src/internal/named.ts';

function namesIn(text: string): string[] {
  return [...text.matchAll(/\b(?:function\*?|class) ([\w$]+)/g)].map(([, name]) => name as string);
}
