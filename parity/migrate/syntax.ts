/** Reads names and modules from the code of an application. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';

/** What an expression stands for. */
export type Kind = 'express' | 'Router' | 'app' | 'router' | 'route' | 'req' | 'res' | 'parser' | 'static';

/** The module name in a call of `require`; undefined for any other node. */
export function requiredBy(node: t.Node | null | undefined): string | undefined {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier') return undefined;
  const [first] = node.arguments;
  return node.callee.name === 'require' && first?.type === 'StringLiteral' ? first.value : undefined;
}

/** The names in members such as `a[NAME]`, of constants in the same file. */
const CONSTANT_NAMES = new WeakMap<t.Node, string>();

/** Notes the name in `a[NAME]` for `memberName`, if `NAME` is a constant of this file. */
export function noteConstantName({ node, scope }: NodePath<t.MemberExpression>): void {
  if (!node.computed || node.property.type !== 'Identifier') return;
  const binding = scope.getBinding(node.property.name);
  const declared = binding?.constant ? binding.path.node : undefined;
  if (declared?.type === 'VariableDeclarator' && declared.init?.type === 'StringLiteral')
    CONSTANT_NAMES.set(node, declared.init.value);
}

/** The member name `b` in `a.b`, `a['b']` and in `a[B]` if `B` is a noted constant; undefined if it is computed. */
export function memberName(node: t.MemberExpression): string | undefined {
  const { property, computed } = node;
  if (!computed && property.type === 'Identifier') return property.name;
  if (property.type === 'TemplateLiteral' && property.expressions.length === 0)
    return property.quasis[0]?.value.cooked ?? undefined;
  return property.type === 'StringLiteral' ? property.value : CONSTANT_NAMES.get(node);
}

export function keyText(key: t.Node): string {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'StringLiteral' ? key.value : '';
}

/** The name under which a pattern such as `{ a: b }` takes the value of a variable. */
export function keyOf({ properties }: t.ObjectPattern, variable: string): string | undefined {
  for (const one of properties) {
    if (one.type !== 'ObjectProperty') continue;
    const value = one.value.type === 'AssignmentPattern' ? one.value.left : one.value;
    if (value.type === 'Identifier' && value.name === variable) return keyText(one.key);
  }
  return undefined;
}

export function nameOfImport({ imported }: t.ImportSpecifier): string {
  return imported.type === 'Identifier' ? imported.name : imported.value;
}

/** The module that an expression stands for: `require('./a')`, or the name of `import * as` or `const a = require()`. */
export function moduleIn(path: NodePath): string | undefined {
  if (path.isCallExpression()) return requiredBy(path.node);
  const declared = path.isIdentifier() ? path.scope.getBinding(path.node.name)?.path : undefined;
  if (declared?.isImportNamespaceSpecifier() || declared?.isImportDefaultSpecifier())
    return declared.parent.type === 'ImportDeclaration' ? declared.parent.source.value : undefined;
  if (!declared?.isVariableDeclarator() || declared.node.id.type !== 'Identifier') return undefined;
  return requiredBy(declared.node.init);
}
