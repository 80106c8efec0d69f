/** Creates the language service that editors use for TypeScript. */
import { join } from 'node:path';
import ts from 'typescript-5';

const root = join(__dirname, '..', '..');

/** The path of the program, which is not on the disk. */
export const PROGRAM_FILE = join(root, 'spec', 'program.ts');

/** @param source The text of the program. It can import this package by name. */
export function languageServiceOf(source: string): ts.LanguageService {
  return ts.createLanguageService({
    getScriptFileNames: () => [PROGRAM_FILE],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = name === PROGRAM_FILE ? source : ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => ({
      module: ts.ModuleKind.NodeNext,
      esModuleInterop: true,
      strict: true,
      types: ['node'],
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === PROGRAM_FILE || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
  });
}
