/** Finds mistakes in the handlers of one file, without running the application. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { type HandlerCode, rolesIn } from '../inspect/findings/handler-code';
import { findInResponsesOf } from '../inspect/findings/responses';
import { findSwappedIn } from '../inspect/findings/swapped';
import type { Finding } from '../inspect/model';
import type { Series } from '../inspect/registrations';
import { parseFile } from '../inspect/sources';
import { VERBS } from '../migrate/kinds';
import { loadParser } from '../migrate/parser';
import { memberName } from '../migrate/syntax';

const FRAMEWORK = /^(?:express|nozomi(?:\/[345])?)$/;
/** The names of the parameters that Express passes; `_` and the like are parameters that the handler does not use. */
const ROLE = /^_*(?:err|error|req|request|res|resp|response|next)?$/i;
const parser = loadParser();

/** @returns None for a file that does not load the framework, or cannot be parsed. */
export function findInSource(file: string, text: string): Finding[] {
  const parsed = parseFile(parser, text, file);
  const framework = parsed?.modules.find((name) => FRAMEWORK.test(name));
  if (!parsed || framework === undefined) return [];
  const series = seriesOf(framework, file);
  const handlers = new Map<t.Node, HandlerCode>();
  for (const call of parsed.calls)
    for (const path of handlersOf(call)) {
      const names = path.node.params.map((one) => (one.type === 'Identifier' ? one.name : ''));
      if (names.length < 2 || !names.every((name) => ROLE.test(name))) continue;
      const { loc } = path.node;
      const site = loc ? { file, line: loc.start.line } : undefined;
      const roles = rolesIn({ path, parsed }, names.length === 4, site);
      handlers.set(path.node, { ...roles, name: nameOf(path), series, live: undefined });
    }
  return [...handlers.values()].flatMap((code) => [...findInResponsesOf(code), ...findSwappedIn(code)]);
}

/** The functions that a call such as `app.get(path, …)` registers: those in the call, and those of the file by name. */
function handlersOf(call: NodePath<t.CallExpression>): NodePath<t.Function>[] {
  const { callee } = call.node;
  const name = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
  if (name === undefined || (name !== 'use' && !VERBS.has(name))) return [];
  const given = (call.get('arguments') as NodePath[]).flatMap((one) =>
    one.isArrayExpression() ? (one.get('elements') as NodePath[]) : [one],
  );
  return given.flatMap((path): NodePath<t.Function>[] => {
    if (path.isFunction()) return [path];
    const declared = path.isIdentifier() ? path.scope.getBinding(path.node.name)?.path : undefined;
    if (declared?.isFunctionDeclaration()) return [declared];
    const value = declared?.isVariableDeclarator() ? (declared.get('init') as NodePath) : undefined;
    return value?.isFunction() ? [value] : [];
  });
}

function nameOf({ node, parent }: NodePath<t.Function>): string {
  if (node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression')
    return node.id?.name ?? 'the handler';
  return parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
    ? parent.id.name
    : 'the handler';
}

/** The series of the framework that a file loads: `nozomi/4` has that of its name, others that of the installed version. */
function seriesOf(framework: string, file: string): Series {
  if (framework === 'nozomi/4' || framework === 'nozomi/3') return '4.x';
  if (framework === 'nozomi/5') return '5.x';
  try {
    const manifest = createRequire(file).resolve(`${framework}/package.json`);
    return /^[34]\./.test(JSON.parse(readFileSync(manifest, 'utf8')).version) ? '4.x' : '5.x';
  } catch {
    return '5.x';
  }
}
