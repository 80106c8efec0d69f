/**
 * Loads the parser of `nozomi-parity migrate`.
 *
 * @babel/parser reads TypeScript and JSX, and @babel/traverse resolves scopes. Edits by position keep the formatting of
 * all other code. recast and jscodeshift would reformat the code that they change; ts-morph includes its own compiler.
 */
import type { ParserPlugin } from '@babel/parser';
import type { Visitor } from '@babel/traverse';
import type { File } from '@babel/types';

export interface Parser {
  parse(text: string, name: string): File;
  traverse(file: File, visitor: Visitor): void;
  /** Formats a unified diff. */
  diff(name: string, before: string, after: string): string;
}

/**
 * Loads the packages of the parser. The other commands do without them, so they load when they are first used. `require`,
 * because `import()` first searches the source of each CommonJS module for the names of its exports.
 */
export function loadParser(): Parser {
  const parser = require('@babel/parser') as typeof import('@babel/parser');
  const { default: traverse } = require('@babel/traverse') as typeof import('@babel/traverse');
  const diff = require('diff') as typeof import('diff');
  return {
    parse: (text, name) =>
      parser.parse(text, {
        sourceType: 'unambiguous',
        sourceFilename: name,
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
        errorRecovery: true,
        plugins: pluginsFor(name),
      }),
    traverse,
    diff: (name, before, after) =>
      diff.createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, {
        headerOptions: diff.FILE_HEADERS_ONLY,
      }),
  };
}

function pluginsFor(name: string): ParserPlugin[] {
  if (/\.[mc]?ts$/.test(name)) return ['typescript', 'decorators'];
  return name.endsWith('.tsx') ? ['typescript', 'jsx', 'decorators'] : ['jsx', 'decorators'];
}

/** @throws SyntaxError also for an error after which the parser continues. */
export function parseWhole({ parse }: Parser, text: string, name: string): File {
  const file: File & { readonly errors?: readonly Error[] | null } = parse(text, name);
  if (file.errors?.[0]) throw file.errors[0];
  return file;
}
