/**
 * Rewrites applications from Express 4 to Express 5. Where a rule finds no equivalent code, a comment marks the place
 * for a developer.
 */

import type { NodePath, Visitor } from '@babel/traverse';
import type * as t from '@babel/types';
import express5 from 'nozomi';
import express4 from 'nozomi/4';
import { keepQuery, migrateApplicationCall, migrateRequire, QUERY_WRITERS } from './application';
import { type Context, type Facts, type Finding, type FoundPath, located } from './context';
import { Edits } from './edits';
import { migrateFiles } from './files';
import { Kinds, usesExpress as usesExpressIn } from './kinds';
import { migrateListen } from './listen';
import { Modules } from './modules';
import { loadParser, type Parser } from './parser';
import type { Frameworks } from './path/convert';
import {
  isOfExpress3,
  migrateCallOf3,
  migrateMember,
  refuseComputedCall,
  refuseDebugName,
  refuseList,
  refuseName,
  refuseTaken,
  takesOfExpress3,
} from './removed';
import {
  migrateParam,
  migrateQueryWrite,
  migrateRequestMember,
  readsRoutePath,
  refuseIn,
  refuseQueryUpdate,
  refuseRoutePath,
  writesQuery,
} from './request';
import { migrateResponse } from './response';
import {
  hasComputedPath,
  isComputedInTable,
  isInTable,
  migrateInTable,
  migratePaths,
  readsNumberOf,
  refuseComputedInTable,
  refuseReference,
  refuseTakenMethod,
} from './routes';
import { memberName, noteConstantName, requiredBy } from './syntax';

export interface Source {
  /** The path of the file, for messages. The extension selects JavaScript or TypeScript, with or without JSX. */
  readonly name: string;
  readonly text: string;
  /** Why the file must not be changed, for example because its text is not that of its bytes. */
  readonly unreadable?: string;
}

export interface Migrated {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly changes: readonly Finding[];
  /** The places where a developer must decide. Each has a comment in `after`. */
  readonly refused: readonly Finding[];
  readonly notes: readonly Finding[];
  /** The string paths of routes and mounts whose conversion was tried. */
  readonly paths: readonly FoundPath[];
  /** The number of calls on applications and routers, and on what may be one. */
  readonly calls: number;
  /** Those of which the object, the method or the path was not understood. */
  readonly unclear: readonly Finding[];
  /** Why the file cannot be read or parsed. Such a file is not changed. */
  readonly unparsed?: string;
  /** Whether the file contains anything of Express: an application, a router, a request, a response or a parser. */
  readonly isRecognised: boolean;
}

interface Parsed extends Source {
  readonly file: t.File;
  readonly modules: readonly string[];
}

interface Known extends Parsed {
  readonly kinds: Kinds;
}

/** Through how many functions of other files an application is followed. */
const ROUNDS = 4;
/** The start of each comment that `migrate` adds. */
const MARK = 'nozomi-parity migrate:';
/** Matches the comments with the mark on adjacent lines. */
const COMMENTS = `(?:[ \\t]*// ${MARK} .*\\r?\\n)*`;
const ENTRY_POINTS: Frameworks = { express4, express5 };

/**
 * Rewrites the files of an application. Pass all files together, because changes in one file depend on what the other
 * files read. A file that cannot be parsed is not changed, only searched for words such as `query`, which count as reads.
 *
 * @param frameworks The implementations that match old and new paths; default `nozomi/4` and `nozomi`.
 * @returns One result for each source, in order.
 */
export async function migrate(
  sources: readonly Source[],
  frameworks: Frameworks = ENTRY_POINTS,
): Promise<Migrated[]> {
  const parser = loadParser();
  const read = sources.map((source) => parse(source, parser));
  const known = findKinds(
    read.filter((one) => 'file' in one),
    parser,
  );
  const unparsed = read.filter((one) => 'unparsed' in one).map(({ text }) => text);
  const facts = gatherFacts([...known.values()], parser, unparsed.join('\n'));
  const migrateWith = (given: Facts): Migrated[] =>
    read.map((one) => {
      const file = known.get(one);
      if (file) return migrateFile(file, { parser, facts: given, frameworks });
      return { ...unchanged(one), unparsed: 'unparsed' in one ? one.unparsed : '' };
    });
  const migrated = migrateWith(facts);
  const convertsPaths = migrated.some(({ paths }) => paths.some(({ result }) => result !== 'same'));
  return convertsPaths && facts.readsRoutePath ? migrateWith({ ...facts, convertsPaths }) : migrated;
}

/** Finds what the expressions of each file stand for, also those that come from other files. */
function findKinds(parsed: readonly Parsed[], { traverse }: Parser): ReadonlyMap<Source, Known> {
  const usesExpress = parsed.some(({ modules }) => usesExpressIn(modules));
  const modules = new Modules();
  const known = parsed.map((one) => {
    const kinds = new Kinds(one.name, one.modules, usesExpress, modules);
    modules.add(one.name, kinds);
    return { one, given: { ...one, kinds } };
  });
  for (const { given } of known) traverse(given.file, modules.exportsOf(given.name));
  // A function that passes its parameter on is known only after its own caller.
  for (let round = 0; round < ROUNDS && (round === 0 || modules.isChanged); round++) {
    modules.isChanged = false;
    for (const { given } of known) traverse(given.file, given.kinds.visitor);
    for (const { given } of known) traverse(given.file, modules.callsOf(given.name));
  }
  return new Map(known.map(({ one, given }) => [one, given]));
}

function unchanged({ name, text }: Source): Migrated {
  return {
    name,
    before: text,
    after: text,
    changes: [],
    refused: [],
    notes: [],
    paths: [],
    calls: 0,
    unclear: [],
    isRecognised: false,
  };
}

function parse(source: Source, parser: Parser): Parsed | (Source & { readonly unparsed: string }) {
  if (source.unreadable !== undefined) return { ...source, unparsed: source.unreadable };
  try {
    const file = parser.parse(source.text, source.name);
    joinOptional(file);
    const modules: string[] = [];
    parser.traverse(file, {
      ImportDeclaration: ({ node }) => void modules.push(node.source.value),
      CallExpression: ({ node }) =>
        void modules.push(...[requiredBy(node)].filter((one) => one !== undefined)),
      MemberExpression: noteConstantName,
    });
    return { ...source, file, modules };
  } catch (error) {
    return { ...source, unparsed: `it cannot be parsed: ${(error as Error).message}` };
  }
}

/** Makes `app?.get(…)` a call like `app.get(…)` in the tree. The text keeps its `?`, because edits are made by position. */
function joinOptional(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const one = node as { type?: string };
  if (one.type === 'OptionalCallExpression') one.type = 'CallExpression';
  if (one.type === 'OptionalMemberExpression') one.type = 'MemberExpression';
  for (const [key, value] of Object.entries(node)) if (key !== 'loc' && key !== 'extra') joinOptional(value);
}

/**
 * Finds facts about the application in all files.
 *
 * @param unparsed The text of the files that cannot be parsed.
 */
function gatherFacts(parsed: readonly Known[], { traverse }: Parser, unparsed: string): Facts {
  const facts = {
    readsNumbers: /\bparams\b/.test(unparsed),
    readsQuery: /\bquery\b/.test(unparsed),
    readsBody: /\bbody\b/.test(unparsed),
    setsStrict: /\bstrict(?: routing|\s*:)/.test(unparsed),
    setsSensitive: /\bcase(?:Sensitive| sensitive routing)\b/.test(unparsed),
    writesQuery: false,
    makesApplication: false,
    setsQueryParser: false,
    computesPaths: false,
    hasTable: false,
    readsRoutePath: false,
    convertsPaths: false,
    isExpress3: false,
    computesMembers: false,
  };
  let definesQueryItself = false;
  const visitorOf = (kinds: Kinds, noteWrite = noteWriteWith(kinds)): Visitor => ({
    MemberExpression(path) {
      const name = memberName(path.node);
      if (name === 'params' && readsNumberOf(path)) facts.readsNumbers = true;
      if (name === 'query') facts.readsQuery = true;
      if (name === 'body') facts.readsBody = true;
      if (readsRoutePath(path, kinds)) facts.readsRoutePath = true;
      if (isOfExpress3(path, kinds)) facts.isExpress3 = true;
      if (name === undefined && /^(?:app|req|res)$/.test(kinds.of(path.get('object')) ?? ''))
        facts.computesMembers = true;
    },
    ObjectProperty(path) {
      const {
        node: { key },
        parent,
      } = path;
      const name = key.type === 'Identifier' ? key.name : '';
      if (parent.type === 'ObjectPattern' && name === 'query') facts.readsQuery = true;
      if (parent.type === 'ObjectPattern' && name === 'body') facts.readsBody = true;
      if (parent.type === 'ObjectPattern' && name === 'params') facts.readsNumbers = true;
      if (parent.type === 'ObjectExpression' && name === 'caseSensitive') facts.setsSensitive = true;
      if (takesOfExpress3(path, kinds)) facts.isExpress3 = true;
    },
    ImportSpecifier(path) {
      if (takesOfExpress3(path, kinds)) facts.isExpress3 = true;
    },
    AssignmentExpression: noteWrite,
    UnaryExpression: noteWrite,
    UpdateExpression: noteWrite,
    NewExpression(path) {
      if (kinds.of(path.get('callee')) === 'express') facts.makesApplication = true;
    },
    CallExpression(path) {
      const { node } = path;
      if (kinds.of(path.get('callee')) === 'express') facts.makesApplication = true;
      // Only the option `strict` of a router counts. Body parsers have an option with the same name.
      const [options] = node.arguments;
      const isRouter = node.callee.type === 'MemberExpression' && memberName(node.callee) === 'Router';
      const names = options?.type === 'ObjectExpression' ? options.properties.map(nameOf) : [];
      if (isRouter && names.includes('strict')) facts.setsStrict = true;
      if (definesQuery(node)) definesQueryItself = true;
      if (readsParam(path, kinds)) Object.assign(facts, { readsQuery: true, readsBody: true });
      if (hasComputedPath(path, kinds)) facts.computesPaths = true;
    },
    BinaryExpression(path) {
      if (isComputedInTable(path)) facts.hasTable = true;
    },
    TemplateLiteral(path) {
      if (isComputedInTable(path)) facts.hasTable = true;
    },
    StringLiteral(path) {
      const { value } = path.node;
      if (isInTable(path)) facts.hasTable = true;
      if (value === 'query parser') facts.setsQueryParser = true;
      if (value === 'strict routing') facts.setsStrict = true;
      if (value === 'case sensitive routing') facts.setsSensitive = true;
    },
  });
  function noteWriteWith(kinds: Kinds): (path: Parameters<typeof writesQuery>[0]) => void {
    return (path) => {
      if (writesQuery(path, kinds)) facts.writesQuery = true;
    };
  }
  for (const { file, modules, kinds } of parsed) {
    if (modules.some((name) => QUERY_WRITERS.has(name))) facts.writesQuery = true;
    traverse(file, visitorOf(kinds));
  }
  return { ...facts, writesQuery: facts.writesQuery && !definesQueryItself };
}

/** Whether a call is `Object.defineProperty(req, 'query', …)`, such as one that an earlier migration has added. */
function definesQuery({ callee, arguments: args }: t.CallExpression): boolean {
  const [, name] = args;
  const isDefined = callee.type === 'MemberExpression' && memberName(callee) === 'defineProperty';
  return isDefined && name?.type === 'StringLiteral' && name.value === 'query';
}

/** Whether a call is `req.param(name)`, whose replacement reads the query and the body; not `app.param(name, fn)`. */
function readsParam(path: NodePath<t.CallExpression>, kinds: Kinds): boolean {
  const callee = path.get('callee');
  if (!callee.isMemberExpression() || memberName(callee.node) !== 'param') return false;
  const kind = kinds.of(callee.get('object'));
  return kind === 'req' || (kind === undefined && path.node.arguments.length === 1);
}

function nameOf(property: t.ObjectExpression['properties'][number]): string {
  return property.type !== 'SpreadElement' && property.key.type === 'Identifier' ? property.key.name : '';
}

interface Setup {
  readonly parser: Parser;
  readonly facts: Facts;
  readonly frameworks: Frameworks;
}

function migrateFile({ name, text, file, kinds }: Known, setup: Setup): Migrated {
  const { parser, facts, frameworks } = setup;
  const edits = new Edits(text);
  const [changes, refused, notes]: Finding[][] = [[], [], []];
  const paths: FoundPath[] = [];
  const comments = new Map<number, Set<string>>();
  const unclear: Finding[] = [];
  let calls = 0;
  const context: Context = {
    name,
    source: text,
    edits,
    kinds,
    facts,
    frameworks,
    change: (node, what) => void changes?.push({ line: lineOf(node), text: what }),
    note: (node, what) => void notes?.push({ line: lineOf(node), text: what }),
    count(node, unknown) {
      calls++;
      if (unknown) unclear.push({ line: lineOf(node), text: `${unknown} is not known` });
    },
    path: (node, what, result) => void paths.push({ line: lineOf(node), text: what, result }),
    refuse(path, what) {
      refused?.push({ line: lineOf(path.node), text: what });
      const start = lineStart(path, text);
      comments.set(start, (comments.get(start) ?? new Set()).add(what));
    },
  };
  parser.traverse(file, visitorOf(context));
  for (const [start, texts] of comments) for (const what of texts) addComment(edits, text, start, what);
  return {
    name,
    before: text,
    after: edits.text(),
    changes: changes ?? [],
    refused: refused ?? [],
    notes: notes ?? [],
    paths,
    calls,
    unclear,
    isRecognised: kinds.isAnyFound,
  };
}

/** Visits each node after its children, so that an outer edit includes the inner edits. */
function visitorOf(context: Context): Visitor {
  return {
    CallExpression: {
      exit(path) {
        migrateRequire(path, context);
        migratePaths(path, context);
        migrateParam(path, context);
        migrateResponse(path, context);
        migrateApplicationCall(path, context);
        migrateFiles(path, context);
        migrateListen(path, context);
        migrateCallOf3(path, context);
        refuseComputedCall(path, context);
      },
    },
    NewExpression: { exit: (path) => keepQuery(path, context) },
    ImportDeclaration: { exit: (path) => migrateRequire(path, context) },
    ImportSpecifier: (path) => refuseTaken(path, context),
    ObjectProperty(path) {
      refuseTaken(path, context);
      refuseTakenMethod(path, context);
    },
    TemplateLiteral: { exit: (path) => refuseComputedInTable(path, context) },
    MemberExpression: {
      exit(path) {
        migrateRequestMember(path, context);
        migrateMember(path, context);
        refuseList(path, context);
        refuseRoutePath(path, context);
        refuseReference(path, context);
      },
    },
    BinaryExpression: {
      exit(path) {
        refuseIn(path, context);
        refuseComputedInTable(path, context);
      },
    },
    StringLiteral(path) {
      migrateInTable(path, context);
      refuseName(path, context);
      refuseDebugName(path, context);
    },
    AssignmentExpression: { exit: (path) => migrateQueryWrite(path, context) },
    UnaryExpression: { exit: (path) => refuseQueryUpdate(path, context) },
    UpdateExpression: { exit: (path) => refuseQueryUpdate(path, context) },
  };
}

function lineOf({ loc }: t.Node): number {
  return loc?.start.line ?? 1;
}

/**
 * Finds the position for a comment: the line of the nearest outer statement that is the first code on its line. A byte
 * order mark and `#!` stay in front of it.
 */
function lineStart(path: NodePath, text: string): number {
  for (let one: NodePath | null = path; one; one = one.parentPath) {
    if (!one.isStatement()) continue;
    const { start } = located(one.node as t.Node);
    const line = text.lastIndexOf('\n', start - 1) + 1;
    if (text.slice(line, start).trim() === '') return Math.max(line, headOf(text));
  }
  return headOf(text);
}

/** The length of the byte order mark or of the line `#!` at the start of a file. */
function headOf(text: string): number {
  return /^(?:\uFEFF|#![^\n]*\n?)/.exec(text)?.[0].length ?? 0;
}

function addComment(edits: Edits, text: string, start: number, what: string): void {
  const [indent = ''] = /^[ \t]*/.exec(text.slice(start)) ?? [];
  const comment = `${indent}// ${MARK} ${what}${lineBreakOf(text)}`;
  const [above = ''] = new RegExp(`${COMMENTS}$`).exec(text.slice(0, start)) ?? [];
  const [below = ''] = new RegExp(`^${COMMENTS}`).exec(text.slice(start)) ?? [];
  if (!above.includes(comment) && !below.includes(comment)) edits.insert(start, comment);
}

/** The line break of a file, by its first line. */
function lineBreakOf(text: string): string {
  return text[text.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n';
}
