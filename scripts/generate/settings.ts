// Writes docs/settings.md from the settings in src/application/settings.ts and their documentation in src/interface.d.ts.
// Run this script after a change to one of them.
//
//   npm run generate -- settings               writes docs/settings.md
//   npm run generate -- settings --check    writes nothing; exit code 1 if the page is out of date
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from '@typescript/typescript6';
import { type Setting, settings } from '../../src/application/settings';
import { table } from '../document';
import { pageWith, root, runGenerator } from './page';

const PAGE = 'docs/settings.md';
const TYPES = join(root, 'src', 'interface.d.ts');

runGenerator(() => ({ [PAGE]: pageWith(PAGE, { settings: listed() }) }));

function listed(): string {
  const source = ts.createSourceFile(TYPES, readFileSync(TYPES, 'utf8'), ts.ScriptTarget.Latest, true);
  const map = statementsOf(source)
    .filter(ts.isInterfaceDeclaration)
    .find(({ name }) => name.text === 'SettingsMap');
  const rows = [...(map?.members ?? [])].filter(ts.isPropertySignature).map((member) => {
    const name = member.name.getText().replaceAll("'", '') as keyof typeof settings;
    const setting: Setting = settings[name];
    return [
      `\`${name}\``,
      member.type ? typeOf(member.type, source) : '',
      defaultOf(setting),
      setting.compile ? `\`${name} fn\`` : '',
      inheritanceOf(setting),
      meaningOf(member),
    ];
  });
  return table(['Setting', 'Type', 'Default', 'Compiled to', 'Inherited', 'Meaning'], rows);
}

/** @returns The statements of the namespace with the public types. */
function statementsOf(source: ts.SourceFile): readonly ts.Statement[] {
  const { body } = source.statements.find(ts.isModuleDeclaration) ?? {};
  return body && ts.isModuleBlock(body) ? body.statements : [];
}

/** @returns The types of a union, for a reader who does not know TypeScript. */
function typeOf(type: ts.TypeNode, source: ts.SourceFile): string {
  const parts = (ts.isUnionTypeNode(type) ? [...type.types] : [type]).map((each) => wordsOf(each, source));
  const known = [...new Set(parts.filter((part) => part !== ''))];
  const last = known.pop() ?? '';
  return known.length > 0 ? `${known.join(', ')} or ${last}` : last;
}

/** @returns The words for one type; empty for null and undefined. */
function wordsOf(type: ts.TypeNode, source: ts.SourceFile): string {
  if (ts.isParenthesizedTypeNode(type)) return wordsOf(type.type, source);
  if (ts.isConstructorTypeNode(type)) return 'class';
  if (ts.isFunctionTypeNode(type)) {
    const names = type.parameters.map(({ name }) => name.getText()).filter((name) => name !== 'this');
    return `function \`(${names.join(', ')})\``;
  }
  if (ts.isTypeOperatorNode(type) || ts.isArrayTypeNode(type)) return 'array';
  if (ts.isLiteralTypeNode(type)) return ts.isStringLiteral(type.literal) ? `\`${type.literal.text}\`` : '';
  if (!ts.isTypeReferenceNode(type)) return type.getText().replace('undefined', '');
  const alias = statementsOf(source)
    .filter(ts.isTypeAliasDeclaration)
    .find(({ name }) => name.text === type.typeName.getText());
  if (!alias) return type.typeName.getText().toLowerCase();
  const [first = alias.type] = ts.isUnionTypeNode(alias.type) ? alias.type.types : [];
  return wordsOf(first, source);
}

/** @returns The documentation of a setting as one line, without its default, which has a column of its own. */
function meaningOf(member: ts.PropertySignature): string {
  const [comment] = ts.getJSDocCommentsAndTags(member);
  const text = ts.getTextOfJSDocComment(comment?.comment) ?? '';
  // Items of a list become sentences.
  return text
    .replace(/\n- /g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ?\bDefault[^.]*\./, '')
    .trim();
}

function defaultOf(setting: Setting): string {
  const [production, other] = ['production', 'development'].map((env) => setting.default?.(env));
  if (production === 'production') return '`NODE_ENV`, or `development`';
  if (production !== other) return `${format(production)} in production, else ${format(other)}`;
  return format(other);
}

function inheritanceOf(setting: Setting): string {
  if (setting.yields) return 'yes, instead of its default';
  const [production, other] = ['production', 'development'].map((env) => setting.default?.(env));
  if (other !== undefined) return 'no';
  return production === undefined
    ? 'yes'
    : 'outside production: yes; in production: no, because it has a default there';
}

function format(value: unknown): string {
  if (typeof value === 'function') return `\`${value.name}\``;
  if (value === join(process.cwd(), 'views')) return `the working directory + \`/views\``;
  return value === undefined ? 'undefined' : `\`${value}\``;
}
