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

/** Imports the packages of the parser. The other commands do without them, so they load when they are first used. */
export async function loadParser(): Promise<Parser> {
  const [parser, traverse, diff] = await Promise.all([
    import('@babel/parser'),
    import('@babel/traverse'),
    import('diff'),
  ]);
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
    traverse: functionOf(traverse),
    diff: (name, before, after) =>
      diff.createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, {
        headerOptions: diff.FILE_HEADERS_ONLY,
      }),
  };
}

/** The function that @babel/traverse exports. For an ES module, Node.js may wrap the CommonJS exports in `default`. */
function functionOf(module: { default: unknown }): Parser['traverse'] {
  const { default: exported } = module;
  return (typeof exported === 'function'
    ? exported
    : (exported as { default: unknown }).default) as unknown as Parser['traverse'];
}

function pluginsFor(name: string): ParserPlugin[] {
  if (/\.[mc]?ts$/.test(name)) return ['typescript', 'decorators'];
  return name.endsWith('.tsx') ? ['typescript', 'jsx', 'decorators'] : ['jsx', 'decorators'];
}
