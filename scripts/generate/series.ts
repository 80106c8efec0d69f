// Writes docs/series.md: what Express 3, 4 and 5 do differently, from the interface `Series` in src/series.ts and the value
// of each series. Run this script after a change to one of them.
//
//   npm run generate -- series               writes docs/series.md
//   npm run generate -- series --check    writes nothing; exit code 1 if the page is out of date
//
// Fails for a clause that does not exist, and for a function of a series without a comment.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import clauses from '../../spec/clauses.json';
import express4Clauses from '../../spec/express4.json';
import { express3 } from '../../src/express3/series';
import { express4 } from '../../src/express4/series';
import { type AnySeries, express5 } from '../../src/series';
import { table } from '../document';
import { pageWith, root, runGenerator } from './page';

const PAGE = 'docs/series.md';

type Rules = Readonly<Record<string, unknown>>;

/** A series: its value, and the object literal that creates it. */
interface Source {
  readonly value: Readonly<Record<string, Rules>>;
  readonly literal: ts.ObjectLiteralExpression;
}

const TYPES = parse('src/series.ts');
const FIRST = sourceOf(TYPES, 'express5', express5);
const OTHERS = [
  sourceOf(parse('src/express4/series.ts'), 'express4', express4),
  sourceOf(parse('src/express3/series.ts'), 'express3', express3),
];

const IDS = new Set([...clauses, ...express4Clauses.clauses].map(({ id }) => id));

runGenerator(() => ({
  [PAGE]: pageWith(
    PAGE,
    Object.fromEntries(Object.keys(FIRST.value).map((group) => [group, tableOf(group)])),
  ),
}));

/** @returns The table of one group of rules, with a row for each member in the order of the interfaces. */
function tableOf(group: string): string {
  const rows = membersOf(group).map((member) => {
    const name = member.name.getText();
    const [text = '', ids = ''] = commentOf(member).split(/@see\b/);
    const cells = [FIRST, ...OTHERS].map((source) => cellOf(source, group, name));
    return [`\`${name}\``, oneLine(text), ...cells, known(oneLine(ids), name)];
  });
  return table(['', 'What it decides', '5.x', '4.x', '3.x', 'Clauses'], rows);
}

function membersOf(group: string): Array<ts.TypeElement & { name: ts.PropertyName }> {
  const names = new Set(Object.keys(FIRST.value[group] ?? {}));
  return TYPES.statements
    .filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => name.text.endsWith('Rules'))
    .flatMap(({ members }) => [...members])
    .filter(hasName)
    .filter(({ name }) => names.has(name.getText()));
}

function hasName(member: ts.TypeElement): member is ts.TypeElement & { name: ts.PropertyName } {
  return member.name !== undefined;
}

function cellOf(source: Source, group: string, name: string): string {
  const rules = source.value[group];
  if (!rules || !(name in rules)) return '–';
  const value = rules[name];
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === undefined) return 'none';
  if (typeof value === 'object') return formatAll(Object(value));
  if (typeof value !== 'function') return `\`${oneLine(String(value))}\``;
  if (source !== FIRST && value === FIRST.value[group]?.[name]) return cellOf(FIRST, group, name);
  const member = memberOf(memberOf(source.literal, group), name);
  const text = member && commentOf(member);
  if (!text) throw new Error(`${source.literal.getSourceFile().fileName}: expected a comment of ${name}`);
  return oneLine(text).replace(/ §.*/, '');
}

function formatAll(values: Rules): string {
  const texts = Object.entries(values).map(([name, value]) =>
    value === undefined ? `no \`${name}\`` : `\`${name}\`: \`${value}\``,
  );
  return texts.join(', ') || 'none';
}

/** @returns The property with a name, of an object literal or of the property that holds one. */
function memberOf(
  parent: ts.ObjectLiteralExpression | ts.ObjectLiteralElementLike | undefined,
  name: string,
): ts.ObjectLiteralElementLike | undefined {
  const literal = parent && ts.isPropertyAssignment(parent) ? parent.initializer : parent;
  if (!literal || !ts.isObjectLiteralExpression(literal)) return undefined;
  return literal.properties.find((property) => property.name?.getText() === name);
}

function sourceOf(file: ts.SourceFile, name: string, series: AnySeries): Source {
  const [literal] = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .filter((declaration) => declaration.name.getText() === name)
    .map(({ initializer }) => initializer);
  if (!literal || !ts.isObjectLiteralExpression(literal))
    throw new Error(`${file.fileName}: expected ${name}`);
  const groups = Object.entries(series).map(([group, rules]) => [group, { ...rules }] as const);
  return { value: Object.fromEntries(groups), literal };
}

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true);
}

/** @returns The text of the comment before a node, with its tags. */
function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node);
  const text = comment?.getText() ?? '';
  return text.replace(/^\/\*\*|\*\/$/g, '').replace(/^\s*\* ?/gm, '');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\|/g, '\\|').trim();
}

function known(ids: string, name: string): string {
  for (const id of ids.split(' ').filter(Boolean))
    if (!IDS.has(id)) throw new Error(`src/series.ts: ${name} names the clause ${id}, which does not exist`);
  return ids.replaceAll(' ', ', ');
}
