/** Reads the declarations of members from the types of the build. */
import { join } from 'node:path';
import ts from '@typescript/typescript6';

const root = join(__dirname, '..', '..');
/** The types whose members the objects of docs/api have. */
const TYPES: Readonly<Record<string, string>> = {
  app: 'framework.Express',
  req: 'framework.Request',
  res: 'framework.Response',
  router: 'framework.Router',
  express: 'typeof framework',
};

let found: Map<string, string[]> | undefined;

/** @param member Such as `res.json`. @returns Its declarations without comments; none for a member without a type. */
export function declarationsOf(member: string): string[] {
  found ??= readAll();
  return found.get(member) ?? [];
}

function readAll(): Map<string, string[]> {
  const file = join(root, 'report', 'members.mts');
  const text = `import framework from 'nozomi';\n${Object.entries(TYPES)
    .map(([name, type]) => `export declare const ${name}: ${type};`)
    .join('\n')}`;
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === file || fileExists.call(host, path);
  host.getSourceFile = (path, ...rest) =>
    path === file
      ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022)
      : getSourceFile.call(host, path, ...rest);
  const program = ts.createProgram([file], options, host);
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const all = new Map<string, string[]>();
  for (const object of module ? checker.getExportsOfModule(module) : [])
    for (const property of checker.getTypeOfSymbol(object).getProperties())
      all.set(
        `${object.name}.${property.name}`,
        [...new Set(property.declarations?.map((declaration) => declaration.getText()))].filter(
          (declared) => !declared.includes('RemovedInExpress5'),
        ),
      );
  return all;
}
