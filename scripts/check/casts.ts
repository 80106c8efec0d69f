// Counts the casts in src, for types that TypeScript does not infer: type assertions (`x as T`, except `as const`),
// `as unknown as`, `as never` and non-null assertions (`x!`). Exit code 1 if there are more than MAX_CASTS. Lower MAX_CASTS after
// removing casts.
//
//   npm run check -- casts                    counts by folder
//   npm run check -- casts --list          also lists each cast with its file and line
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from '@typescript/typescript6';
import { runCommand } from '../command';
import { below } from '../document';
import { formatLine } from '../table';

const KINDS = ['as', 'as unknown as', 'as never', '!'] as const;
/** The maximum number of casts in src, of all kinds together. */
const MAX_CASTS = 94;
const WIDTHS = [-14, 8, 15, 10, 6, 10];

type Kind = (typeof KINDS)[number];
type Counts = Record<Kind, number>;

interface Source {
  /** The path from the root of the repository. */
  file: string;
  text: string;
}

const root = join(__dirname, '..', '..');

runCommand({
  options: { list: { type: 'boolean', default: false } },
  run: ({ values }) => count(sources(), values.list),
});

/** Prints the number of casts by folder and kind. @returns Whether there are at most `MAX_CASTS`. */
function count(files: readonly Source[], isListed: boolean): boolean {
  const folders = new Map<string, Counts>();
  const total = noCasts();
  for (const { file, text } of files) {
    const folder = dirname(file).split('/')[1] ?? 'src';
    const counts = folders.get(folder) ?? noCasts();
    folders.set(folder, counts);
    for (const { kind, line, code } of castsIn(file, text)) {
      counts[kind]++;
      total[kind]++;
      if (isListed) console.log(`${file}:${line}  ${code}`);
    }
  }
  console.log(formatLine(['', ...KINDS], WIDTHS));
  for (const [folder, counts] of [...folders, ['all', total] as const])
    console.log(formatLine([folder, ...KINDS.map((kind) => counts[kind])], WIDTHS));
  const sum = KINDS.reduce((before, kind) => before + total[kind], 0);
  const lines = files.reduce((before, { text }) => before + text.split('\n').length - 1, 0);
  console.log(`${sum} casts in ${lines} lines, ${((sum / lines) * 1000).toFixed(1)} per 1,000 lines`);
  if (sum <= MAX_CASTS) return true;
  console.error(
    `src has ${sum} casts, at most ${MAX_CASTS} are allowed: remove one, or raise MAX_CASTS in scripts/check/casts.ts`,
  );
  return false;
}

function noCasts(): Counts {
  return { as: 0, 'as unknown as': 0, 'as never': 0, '!': 0 };
}

function castsIn(file: string, text: string): Array<{ kind: Kind; line: number; code: string }> {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: ReturnType<typeof castsIn> = [];
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    const kind = kindOf(node);
    if (kind) {
      const line = source.getLineAndCharacterOfPosition(node.getEnd()).line;
      found.push({ kind, line: line + 1, code: text.split('\n')[line]?.trim() ?? '' });
    }
    ts.forEachChild(node, visit);
  }
}

function kindOf(node: ts.Node): Kind | undefined {
  if (ts.isNonNullExpression(node)) return '!';
  if (!ts.isAsExpression(node)) return undefined;
  const { expression, type, parent } = node;
  if (type.kind === ts.SyntaxKind.NeverKeyword) return 'as never';
  // In `x as unknown as T`, only the outer assertion counts.
  if (type.kind === ts.SyntaxKind.UnknownKeyword && ts.isAsExpression(parent)) return undefined;
  if (ts.isAsExpression(expression) && expression.type.kind === ts.SyntaxKind.UnknownKeyword)
    return 'as unknown as';
  return type.getText() === 'const' ? undefined : 'as';
}

function sources(): Source[] {
  return below(join(root, 'src'))
    .filter((name) => /\.m?ts$/.test(name))
    .map((name) => ({ file: `src/${name}`, text: readFileSync(join(root, 'src', name), 'utf8') }));
}
