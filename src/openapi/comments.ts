/** Reads the JSDoc comments of handlers, with the tags of express-jsdoc-swagger. */
import { readFileSync } from 'node:fs';
import { sep } from 'node:path';
import type { OperationFields } from './fields';
import { type Location, locationsOf } from './locations';

type AnyFunction = (...args: never[]) => unknown;

/** What a comment says about an operation. */
export interface Commented extends OperationFields {
  /** The descriptions of parameters by name. */
  readonly texts?: Readonly<Record<string, string>>;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Reads the comment before each handler, or before the statement in which it is written: `app.get('/', handler)`. The
 * files of packages are not read. A comment belongs to the first handler after it.
 */
export function commentsOf(handlers: ReadonlySet<AnyFunction>): Map<AnyFunction, Commented> {
  const byFile = new Map<string, Array<[AnyFunction, Location]>>();
  for (const [handler, location] of locationsOf(handlers)) {
    const { file } = location;
    if (file.includes(`${sep}node_modules${sep}`) || file.startsWith(OWN)) continue;
    byFile.set(file, [...(byFile.get(file) ?? []), [handler, location]]);
  }
  const found = new Map<AnyFunction, Commented>();
  for (const [file, located] of byFile) {
    const text = readText(file);
    if (text === undefined) continue;
    const taken = new Set<number>();
    const starts = lineStarts(text);
    const offsets = located.map(([handler, { line, column }]) => ({
      handler,
      offset: (starts[line] ?? 0) + column,
    }));
    for (const { handler, offset } of offsets.sort((one, other) => one.offset - other.offset)) {
      const comment = commentBefore(text, offset);
      if (!comment || taken.has(comment.end)) continue;
      taken.add(comment.end);
      found.set(handler, parseComment(comment.text));
    }
  }
  return found;
}

/** The folder of Nozomi itself, in a checkout. */
const OWN = __dirname.replace(/[\\/]openapi$/, sep);

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

/** Finds the last JSDoc comment before a position, if the position is in the statement after it. */
function commentBefore(text: string, offset: number): { text: string; end: number } | undefined {
  const end = text.lastIndexOf('*/', offset) + 2;
  const start = text.lastIndexOf('/**', end - 3);
  if (end < 2 || start < 0 || !isSameStatement(text.slice(end, offset))) return undefined;
  return { text: text.slice(start + 3, end - 2), end };
}

// A comment, a string, a template, white space, a word, or another character.
const TOKEN =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|=>|\s+|[\w$]+|[\s\S]/g;
const BRACKETS: Readonly<Record<string, number>> = { '(': 1, '[': 1, ')': -1, ']': -1, '}': -1 };
// After these words a statement goes on in the next line.
const CONTINUES = /^(?:async|const|default|export|function|let|return|static|var)$/;

/**
 * Whether code between a comment and a function opens only the call that contains the function. The end of a statement
 * separates them, and so does the body of another function or an object literal around the function.
 */
function isSameStatement(code: string): boolean {
  let depth = 0;
  /** The depth of the first brace or arrow around the position; undefined outside of both. */
  let body: number | undefined;
  let last = '';
  let isNextLine = false;
  for (const [token] of code.matchAll(TOKEN)) {
    if (/^(?:\s|\/[/*])/.test(token)) {
      isNextLine ||= token.includes('\n');
      continue;
    }
    const isOperand = /^[\w$'"`)\]}]/.test(last) && !CONTINUES.test(last);
    if (depth === 0 && (token === ';' || (isNextLine && isOperand && /^[\w$'"`{@]/.test(token))))
      return false;
    if (token === '{' || token === '=>') body ??= depth;
    depth += token === '{' ? 1 : (BRACKETS[token] ?? 0);
    if (depth < 0) return false;
    if (body !== undefined && (depth < body || (token === '}' && depth === body))) body = undefined;
    last = token;
    isNextLine = false;
  }
  return body === undefined;
}

/** The text of a comment without the stars, its first paragraph as the summary, and its tags. */
function parseComment(text: string): Commented {
  const lines = text.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  const [head = '', ...tags] = lines
    .join('\n')
    .trim()
    .split(/^@(?=\w)/m);
  const [summary, ...paragraphs] = head.trim().split(/\n\s*\n/);
  const fields: Writable<Commented> = {};
  if (summary) fields.summary = oneLine(summary).replace(/\.$/, '');
  if (paragraphs.length > 0) fields.description = paragraphs.map(oneLine).join('\n\n');
  for (const tag of tags) {
    const [, name = '', value = ''] = /^(\w+)\s*([\s\S]*)$/.exec(tag) ?? [];
    addTag(fields, name.toLowerCase(), oneLine(value));
  }
  return fields;
}

function addTag(fields: Writable<Commented>, name: string, value: string): void {
  if (name === 'summary' || name === 'description') fields[name] = value;
  else if (name === 'operationid') fields.operationId = value;
  else if (name === 'deprecated') fields.deprecated = true;
  else if (name === 'tag' || name === 'tags')
    fields.tags = [...(fields.tags ?? []), ...value.split(',').map((tag) => tag.trim())].filter(Boolean);
  else if (name === 'security') fields.security = [...(fields.security ?? []), { [value]: [] }];
  else if (name === 'param') {
    const [, parameter, text] = /^(?:\{.*?\}\s*)?([\w$]+)(?:\.\w+)*\s*(?:-\s*)?(.*)$/.exec(value) ?? [];
    if (parameter && text) fields.texts = { ...fields.texts, [parameter]: text };
  } else if (name === 'return' || name === 'returns') {
    const [, status, description] = /^(?:\{.*?\}\s*)?([1-5]\d\d|default)\s*(?:-\s*)?(.*)$/.exec(value) ?? [];
    if (status) fields.responses = { ...fields.responses, [status]: { description: description ?? '' } };
  }
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
