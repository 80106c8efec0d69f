/**
 * What the door `nozomi` loads, in one file: `dist/core.js`. To find, read and compile some fifty files takes half as long
 * again as all that is in them. In their own places are modules that hand out the same; their texts are as the compiler
 * wrote them, but for the paths of what they load.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { type EncodedSourceMap, encodedMap, FlattenMap } from '@jridgewell/trace-mapping';

/** Below `dist/`. */
export const CORE = 'core.js';
const MAP = /\n\/\/# sourceMappingURL=(.*)\s*$/;

export function pack(dist: string): void {
  const names = namesToPack(dist);
  const packed = new Set(names);
  const lines = HEAD.split('\n');
  const sections = names.map((name) => {
    const { text, map } = read(dist, name);
    lines.push(opening(name));
    const offset = { line: lines.length, column: 0 };
    lines.push(...redirect(text, name, packed).split('\n'), closing(name));
    return { offset, map };
  });
  lines.push(...TAIL.split('\n'));
  writeFileSync(join(dist, CORE), `${lines.join('\n')}\n//# sourceMappingURL=${CORE}.map\n`);
  const map = encodedMap(new FlattenMap({ version: 3, sections }));
  writeFileSync(join(dist, `${CORE}.map`), JSON.stringify({ ...map, file: CORE }));
  for (const name of names) standIn(dist, name);
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const name = file.replaceAll('\\', '/').replace(/\.js$/, '');
    if (file.endsWith('.js') && file !== CORE && !packed.has(name)) shortcut(dist, name, packed);
  }
}

/** Where the text of a module stands in the text of the one file; undefined where it does not. */
export function extentIn(core: string, name: string): { start: number; end: number } | undefined {
  const open = core.indexOf(`\n${opening(name)}\n`);
  if (open === -1) return undefined;
  const start = open + opening(name).length + 2;
  return { start, end: core.indexOf(`\n${closing(name)}\n`, start) };
}

// In parentheses V8 compiles a function at once, and does not read it twice.
const opening = (name: string): string => `${JSON.stringify(name)}: (function (module, exports) {`;
const closing = (name: string): string => `}), // ${name}`;

const HEAD = `"use strict";
// Made of the modules that \`src\` has under these names, by the build.
const modules = {
__proto__: null,`;

const TAIL = `};
const loaded = Object.create(null);
function load(name) {
    const found = loaded[name];
    if (found) return found.exports;
    const module = loaded[name] = { exports: {} };
    try {
        modules[name](module, module.exports);
    } catch (err) {
        delete loaded[name];
        throw err;
    }
    return module.exports;
}
module.exports = load;`;

/** depd, which tells who calls what is deprecated, knows its user by the file. */
const APART = new Set(['routing/promise']);

/** In the order they are loaded. What the logger loads alone, it goes on loading alone. */
function namesToPack(dist: string): string[] {
  const alone = new Set(loadedBy(join(dist, 'logger', 'index.js')));
  return loadedBy(join(dist, 'index.js'))
    .filter((file) => !alone.has(file))
    .map((file) => relative(dist, file).replaceAll('\\', '/').replace(/\.js$/, ''))
    .filter((name) => name !== 'index' && !APART.has(name) && !/^(\.\.|node_modules)\//.test(name));
}

function loadedBy(file: string): string[] {
  const program = `require(${JSON.stringify(file)}); console.log(JSON.stringify(Object.keys(require.cache)))`;
  return JSON.parse(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }));
}

/** The text of a module, and where it comes from, as seen from the top. */
function read(dist: string, name: string): { text: string; map: EncodedSourceMap } {
  const file = join(dist, `${name}.js`);
  const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as EncodedSourceMap;
  const sources = map.sources.map((source) => posix.join(posix.dirname(name), source as string));
  return { text: readFileSync(file, 'utf8').replace(MAP, ''), map: { ...map, sources } };
}

/** Paths of what a module loads, as seen from the top. */
function redirect(text: string, name: string, packed: ReadonlySet<string>): string {
  return text.replace(LOAD, (_all, path: string) => {
    const wanted = posix.join(posix.dirname(name), path);
    return packed.has(wanted) ? `load(${JSON.stringify(wanted)})` : `require("./${wanted}")`;
  });
}
const LOAD = /\brequire\(['"](\.{1,2}\/[^'"]+)['"]\)/g;

/** A module for those who ask by path. */
function standIn(dist: string, name: string): void {
  writeFileSync(
    join(dist, `${name}.js`),
    `/* istanbul ignore file */\nmodule.exports = require('${coreFrom(name)}')('${name}');\n`,
  );
  rmSync(join(dist, `${name}.js.map`));
}

/** Saves a module that is not packed the way past those that stand in. */
function shortcut(dist: string, name: string, packed: ReadonlySet<string>): void {
  const file = join(dist, `${name}.js`);
  const text = readFileSync(file, 'utf8');
  const shorter = text.replace(LOAD, (all, path: string) => {
    const wanted = posix.join(posix.dirname(name), path);
    return packed.has(wanted) ? `require("${coreFrom(name)}")(${JSON.stringify(wanted)})` : all;
  });
  if (shorter !== text) writeFileSync(file, shorter);
}

function coreFrom(name: string): string {
  const path = posix.relative(posix.dirname(name), CORE);
  return path.startsWith('.') ? path : `./${path}`;
}
