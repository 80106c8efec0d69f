/** Compiles the code blocks of docs/typescript.md, each as a module of its own. */
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { expect } from 'chai';
import { codeBlocks, ROOT } from '../support/code-blocks';

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.Node16,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  skipLibCheck: true,
  types: ['node'],
  noEmit: true,
};

/** @param texts Modules by name, in a folder of the package, so that `nozomi` resolves to it. @returns Their errors. */
function compile(texts: ReadonlyMap<string, string>): string[] {
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists.call(host, path);
  host.getSourceFile = (path, ...rest) => {
    const text = texts.get(path);
    return text === undefined
      ? getSourceFile.call(host, path, ...rest)
      : ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  };
  const program = ts.createProgram([...texts.keys()], OPTIONS, host);
  return [...texts.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    const found = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return found.map(
      ({ messageText }) =>
        `${path.split('/').pop()}: ${ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0]}`,
    );
  });
}

describe('docs, docs/typescript.md', () => {
  const named = (name: string) => join(ROOT, 'report', name).replaceAll('\\', '/');

  it('has blocks that compile, with the errors that they announce, and one that is wrong does not', () => {
    const blocks = codeBlocks('docs/typescript.md').filter(({ language }) => language === 'ts');
    const wrong = "import framework = require('nozomi');\nframework().set('etag', 42);";
    const texts = [...blocks, { code: wrong, line: 'wrong' }].map(
      ({ code, line }) => [named(`typescript-page-${line}.cts`), `${code}\nexport {};\n`] as const,
    );
    const errors = compile(new Map(texts));

    expect(blocks).to.have.length.above(5);
    expect(errors.filter((error) => !error.startsWith('typescript-page-wrong.cts'))).to.deep.equal([]);
    expect(errors).to.have.length(1);
  }).timeout(60_000);
});
