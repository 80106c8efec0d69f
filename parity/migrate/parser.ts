/**
 * Loads the parser of `nozomi migrate`. @babel/parser also reads TypeScript and JSX, @babel/traverse knows scopes,
 * and edits by position keep the formatting of all other code. recast and jscodeshift reformat the code that they
 * change, and ts-morph includes its own compiler. The packages are optional peers, because an application does not
 * need them to run.
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

const PACKAGES = ['@babel/parser@7', '@babel/traverse@7', 'diff@8'];

/** @throws TypeError that names the packages to install. */
export async function loadParser(): Promise<Parser> {
  try {
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
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new TypeError(`the parser is not installed: npm install --no-save ${PACKAGES.join(' ')}`);
  }
}

/** The default export of a CommonJS module: for an ES module it is the whole module. */
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
