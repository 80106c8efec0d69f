/**
 * Loads morgan in a realm that allows code generation. morgan compiles formats with the Function constructor, which
 * Node.js forbids in one run of these specs.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction, createContext } from 'node:vm';
import type morganFunction from 'morgan';

const file = require.resolve('morgan');
const realm = createContext({ process, setTimeout }, { codeGeneration: { strings: true, wasm: false } });
const load = compileFunction(readFileSync(file, 'utf8'), ['module', 'exports', 'require'], {
  filename: file,
  parsingContext: realm,
});
const module_ = { exports: {} };
load(module_, module_.exports, createRequire(file));

export const morgan = module_.exports as typeof morganFunction & Record<string, unknown>;
