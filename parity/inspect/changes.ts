/**
 * Writes changes of source files that may remove a finding. `nozomi-parity doctor` offers one only after it has tried it on
 * a copy: `try-changes.ts`.
 */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import type { Change, Site, TextEdit } from './model';
import type { ParsedFile, Sources } from './sources';

/** Moves the statement of one call in front of the statement of another, if both stand in one block. */
export function moveBefore(
  sources: Sources,
  site: Site | undefined,
  target: Site | undefined,
): Change | undefined {
  return move(sources, site, target, (moved, other) => ({
    at: other.start,
    fix: `move line ${moved.line} before line ${other.line}`,
  }));
}

/** Moves the statement of one call behind the statement of another, if both stand in one block. */
export function moveAfter(
  sources: Sources,
  site: Site | undefined,
  target: Site | undefined,
): Change | undefined {
  return move(sources, site, target, (moved, other) => ({
    at: other.end,
    fix: `move line ${moved.line} after line ${other.line}`,
  }));
}

interface Lines {
  /** The positions of the first character of the statement's lines, and of the first one after them. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

function move(
  sources: Sources,
  site: Site | undefined,
  target: Site | undefined,
  place: (moved: Lines, other: Lines) => { at: number; fix: string },
): Change | undefined {
  if (!site || site.file !== target?.file) return undefined;
  const parsed = sources.file(site.file);
  const [moved, other] = [site, target].map((one) => statementOf(sources.callAt(one)));
  if (!parsed || !moved || !other || moved === other || moved.parentPath !== other.parentPath)
    return undefined;
  const [from, to] = [linesOf(moved, parsed), linesOf(other, parsed)];
  if (!from || !to) return undefined;
  const { at, fix } = place(from, to);
  const text = parsed.text.slice(from.start, from.end);
  const whole = text.endsWith('\n') ? text : `${text}\n`;
  return {
    fix,
    edits: [edit(parsed, from.start, from.end, ''), edit(parsed, at, at, whole)],
  };
}

/** Adds a statement in front of that of a call. */
export function insertBefore(sources: Sources, site: Site | undefined, code: string): Change | undefined {
  const parsed = site && sources.file(site.file);
  const statement = parsed && statementOf(sources.callAt(site));
  const lines = statement && linesOf(statement, parsed);
  if (!lines) return undefined;
  const [indent = ''] = /^[ \t]*/.exec(parsed.text.slice(lines.start)) ?? [];
  return {
    fix: `add ${code} before line ${lines.line}`,
    edits: [edit(parsed, lines.start, lines.start, `${indent}${code}\n`)],
  };
}

/** Adds a statement behind the first statement of a file that creates the application, such as `const app = express()`. */
export function insertAfterCreation(
  sources: Sources,
  site: Site | undefined,
  write: (app: string) => string,
): Change | undefined {
  const call = sources.callAt(site);
  const object = call && rootOf(call);
  const declared = object?.isIdentifier() ? object.scope.getBinding(object.node.name)?.path : undefined;
  const parsed = site && sources.file(site.file);
  if (!parsed || !object?.isIdentifier() || !declared?.isVariableDeclarator()) return undefined;
  const statement = declared.parentPath as NodePath<t.Statement> | undefined;
  const lines = statement && linesOf(statement, parsed);
  const code = write(object.node.name);
  if (!lines) return undefined;
  return {
    fix: `add ${code} after line ${lines.line}`,
    edits: [edit(parsed, lines.end, lines.end, `${code}\n`)],
  };
}

/** Replaces the text of a node. */
export function replaceNode(
  parsed: ParsedFile | undefined,
  { start, end }: t.Node,
  text: string,
  fix: string = `write ${text}`,
): Change | undefined {
  return parsed && { fix, edits: [edit(parsed, start ?? 0, end ?? 0, text)] };
}

/** Replaces a path in the call that registers it, if it stands there as a string. */
export function changePath(
  sources: Sources,
  site: Site | undefined,
  path: string,
  written: string | RegExp,
): Change | undefined {
  const [first] = sources.callAt(site)?.node.arguments ?? [];
  const given = first?.type === 'ArrayExpression' ? first.elements : [first];
  const literal = given.find((one) => one?.type === 'StringLiteral' && one.value === path);
  if (!literal || !site) return undefined;
  const text = typeof written === 'string' ? `'${written.replace(/[\\']/g, '\\$&')}'` : String(written);
  return replaceNode(sources.file(site.file), literal, text);
}

/** Adds text in front of a node. */
export function insertAt(
  parsed: ParsedFile | undefined,
  at: number | null | undefined,
  text: string,
  fix: string,
): Change | undefined {
  return parsed && { fix, edits: [edit(parsed, at ?? 0, at ?? 0, text)] };
}

/** The object at the start of a chain of calls: `app` in `app.get(…).post(…)`. */
export function rootOf(call: NodePath<t.CallExpression>): NodePath {
  const callee = call.get('callee') as NodePath;
  const object = callee.isMemberExpression() ? callee.get('object') : callee;
  return object.isCallExpression() ? rootOf(object) : object;
}

function edit({ file }: ParsedFile, start: number, end: number, text: string): TextEdit {
  return { file, start, end, text };
}

/** The statement around a call that stands in a block or a file, and not in another function. */
function statementOf(path: NodePath | undefined): NodePath<t.Statement> | undefined {
  const statement = path?.getStatementParent() ?? undefined;
  return statement?.listKey === 'body' ? statement : undefined;
}

/** The lines of a statement; undefined if they contain other code. */
function linesOf({ node }: NodePath, { text }: ParsedFile): Lines | undefined {
  const [first, last] = [node.start ?? 0, node.end ?? 0];
  const start = text.lastIndexOf('\n', first - 1) + 1;
  const end = text.indexOf('\n', last) < 0 ? text.length : text.indexOf('\n', last) + 1;
  const others = text.slice(start, first) + text.slice(last, end).replace(/\/\/.*/, '');
  return others.trim() === '' ? { start, end, line: node.loc?.start.line ?? 1 } : undefined;
}
