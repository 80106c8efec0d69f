/** Reads the declarations of members from the types of the build. */
import { join } from 'node:path';
import ts from '@typescript/typescript6';

const root = join(__dirname, '..', '..');
export const SERIES = ['5', '4', '3'] as const;
export type Series = (typeof SERIES)[number];

/** The entry point of each series, and the types whose members the objects of docs/api have. */
const ENTRIES: Readonly<Record<Series, { entry: string; types: Readonly<Record<string, string>> }>> = {
  5: { entry: 'nozomi', types: typesOf('framework.Express', 'framework.') },
  4: { entry: 'nozomi/4', types: typesOf('framework.Express', 'framework.') },
  3: { entry: 'nozomi/3', types: typesOf('ReturnType<typeof framework>', 'framework.') },
};

function typesOf(app: string, space: string): Record<string, string> {
  return {
    app,
    req: `${space}Request`,
    res: `${space}Response`,
    router: `${space}Router`,
    express: 'typeof framework',
  };
}

const found = new Map<Series, Map<string, string[]>>();

/** @param member Such as `res.json`. @returns Its declarations without comments; none for a member without a type. */
export function declarationsOf(member: string, series: Series = '5'): string[] {
  const known = found.get(series) ?? readAll(series);
  found.set(series, known);
  return known.get(member) ?? [];
}

function readAll(series: Series): Map<string, string[]> {
  const { entry, types } = ENTRIES[series];
  const file = join(root, 'report', 'members.mts');
  const text = `import framework from '${entry}';\n${Object.entries(types)
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
    for (const member of checker.getTypeOfSymbol(object).getProperties()) {
      const property = member.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(member) : member;
      all.set(
        `${object.name}.${member.name}`,
        [...new Set(property.declarations?.map((declaration) => declaration.getText()))].filter(
          (declared) => !declared.includes('RemovedInExpress5'),
        ),
      );
    }
  return all;
}
