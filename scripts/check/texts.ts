/** Collects the texts of the repository: comments, messages, test titles, pages and commit subjects. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { run } from '../../parity/harness/processes';

export type Kind = 'comment' | 'message' | 'title' | 'page' | 'subject';

export interface Text {
  readonly kind: Kind;
  /** `path:line`; the path starts at the root of the repository. */
  readonly place: string;
  readonly text: string;
}

const TEST = new Set(['describe', 'it']);
/** Functions that create a scenario, such as express3Scenario(). The option `name` is its title. */
const SCENARIO = /^(s|\w+S)cenario$/;
const MESSAGE = /(^|\.)(console\.(log|error|warn)|emitWarning|deprecate|fail)$/;
const NOT_OURS = /^(?!src\/).*(^|\/)(fixtures|node_modules|public|timetables|files)\/|^spec\/applications\//;

/** Collects the texts of all code and Markdown files that git tracks, except the specification and test data. */
export function textsOf(root: string): Text[] {
  return run('git', ['ls-files'], root)
    .split('\n')
    .filter((file) => !NOT_OURS.test(file))
    .flatMap((file) => {
      if (/\.[cm]?[jt]s$/.test(file)) return textsOfCode(file, readFileSync(join(root, file), 'utf8'));
      const isPage = /\.md$/.test(file) && !/^spec\/(framework|logger)\.md$/.test(file);
      return isPage ? textsOfPage(file, readFileSync(join(root, file), 'utf8')) : [];
    });
}

/** @returns The subjects of the commits since a day, latest first. @throws Error outside of a git repository. */
export function subjectsOf(root: string, since: string): Text[] {
  return run('git', ['log', `--since=${since}`, '--format=%h %s'], root)
    .split('\n')
    .filter(Boolean)
    .map((line) => ({
      kind: 'subject',
      place: line.split(' ', 1).join(),
      text: line.slice(line.indexOf(' ') + 1),
    }));
}

function textsOfCode(file: string, code: string): Text[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS);
  const found: Text[] = [];
  const add = (kind: Kind, position: number, text: string): void => {
    const line = source.getLineAndCharacterOfPosition(position).line + 1;
    found.push({ kind, place: `${file}:${line}`, text });
  };
  for (const { pos, end } of commentsIn(source, code))
    add('comment', pos, plainComment(code.slice(pos, end)));
  const addName = (options: ts.Expression | undefined): void => {
    if (!options || !ts.isObjectLiteralExpression(options)) return;
    for (const property of options.properties) {
      if (!ts.isPropertyAssignment(property) || property.name.getText(source) !== 'name') continue;
      const { initializer } = property;
      if (ts.isStringLiteralLike(initializer) || ts.isTemplateExpression(initializer))
        add('title', initializer.getStart(source), initializer.getText(source).slice(1, -1));
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const name = node.expression.getText(source);
      const kind = kindOfCall(node, name, file);
      const text = node.arguments?.find(
        (argument) => ts.isStringLiteralLike(argument) || ts.isTemplateExpression(argument),
      );
      if (SCENARIO.test(name)) addName(node.arguments?.[0]);
      // A single word is a key, not a message: `fail('timeout')`.
      const isText = text && (kind !== 'message' || /\s/.test(text.getText(source)));
      if (kind && isText) add(kind, text.getStart(source), text.getText(source).slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function kindOfCall(node: ts.Node, name: string, file: string): Kind | undefined {
  if (TEST.has(name.split('.')[0] ?? '')) return 'title';
  // The messages of applications in specs and scenarios are test data.
  if (/^(spec|parity\/scenarios)\//.test(file)) return undefined;
  return (ts.isNewExpression(node) && name.endsWith('Error')) || MESSAGE.test(name) ? 'message' : undefined;
}

/** @returns The ranges of all comments, in order. Line comments on consecutive lines are one comment. */
function commentsIn(source: ts.SourceFile, code: string): ts.TextRange[] {
  const all = new Map<number, ts.TextRange>();
  const visit = (node: ts.Node): void => {
    const leading = ts.getLeadingCommentRanges(code, node.getFullStart()) ?? [];
    const trailing = ts.getTrailingCommentRanges(code, node.getEnd()) ?? [];
    for (const range of [...leading, ...trailing]) all.set(range.pos, range);
    for (const child of node.getChildren(source)) if (child.kind !== ts.SyntaxKind.JSDoc) visit(child);
  };
  visit(source);
  const merged: { pos: number; end: number }[] = [];
  for (const { pos, end } of [...all.values()].sort((a, b) => a.pos - b.pos)) {
    const last = merged.at(-1);
    const follows = last && code.startsWith('//', pos) && /^\n[ \t]*$/.test(code.slice(last.end, pos));
    if (follows && code.startsWith('//', last.pos)) last.end = end;
    else merged.push({ pos, end });
  }
  return merged;
}

function plainComment(raw: string): string {
  return raw
    .replace(/^\/\*\*?|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(\/\/|\*(?!\*))? ?/, '').trim())
    .join(' ')
    .trim();
}

/** @returns Each line of a Markdown page that is not empty, except code blocks. */
function textsOfPage(file: string, page: string): Text[] {
  const found: Text[] = [];
  let isCode = false;
  for (const [index, line] of page.split('\n').entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    else if (!isCode && line.trim() !== '')
      found.push({ kind: 'page', place: `${file}:${index + 1}`, text: line.trim() });
  }
  return found;
}
