/** Reports options of `express.static`, and files below folders that begin with a dot, which Express 5 does not serve. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import type { Context } from './context';
import { memberName } from './syntax';

const SENDERS = new Set(['sendFile', 'sendfile', 'download']);

/** `express.static(folder, options)`, `serveStatic(folder, options)`, `res.sendFile(path, options)` and the like. */
export function migrateFiles(path: NodePath<t.CallExpression>, context: Context): void {
  const callee = path.get('callee');
  const name = callee.isMemberExpression() ? memberName(callee.node) : '';
  const kind = callee.isMemberExpression() ? context.kinds.of(callee.get('object')) : undefined;
  const isStatic = context.kinds.of(callee) === 'static';
  if (!isStatic && !(kind === 'res' && SENDERS.has(name ?? ''))) return;
  const options = path.node.arguments.find(
    (one): one is t.ObjectExpression => one.type === 'ObjectExpression',
  );
  const has = (key: string): t.ObjectProperty | undefined =>
    options?.properties.find(
      (one): one is t.ObjectProperty =>
        one.type === 'ObjectProperty' && one.key.type === 'Identifier' && one.key.name === key,
    );
  const hidden = has('hidden');
  if (hidden) return migrateHidden(path, hidden, context);
  const [first] = path.node.arguments;
  if (has('dotfiles') || !first) return;
  const folder = isStatic ? folderOf(first, dirname(context.name)) : undefined;
  for (const dot of folder === undefined ? [] : dotFoldersOf(folder))
    context.refuse(
      path,
      `Express 5 does not serve the files in ${dot}: mount it first, with express.static(…/${dot}) on /${dot}`,
    );
  if (!isStatic && first.type === 'StringLiteral' && /(?:^|\/)\.[^./][^/]*\//.test(first.value))
    context.refuse(
      path,
      `Express 5 does not send files in a folder that begins with a dot: set dotfiles: 'allow'`,
    );
}

/** `hidden: true` has meant `dotfiles: 'allow'` since Express 4.8. */
function migrateHidden(path: NodePath, { value, start, end }: t.ObjectProperty, context: Context): void {
  if (value.type !== 'BooleanLiteral')
    return context.refuse(
      path,
      "Express 5 ignores the option hidden: use dotfiles, with 'allow' or 'ignore'",
    );
  const written = `dotfiles: '${value.value ? 'allow' : 'ignore'}'`;
  context.edits.replace(Number(start), Number(end), written);
  context.change(path.node, `hidden: ${value.value} → ${written}`);
}

/** The folder that `'public'`, `__dirname + '/public'` or `path.join(__dirname, 'public')` names; undefined if computed. */
function folderOf(node: t.Node, here: string): string | undefined {
  const part = (one: t.Node): string | undefined => {
    if (one.type === 'StringLiteral') return one.value;
    if (one.type === 'Identifier') return one.name === '__dirname' ? resolve(here) : undefined;
    if (one.type === 'MemberExpression') return memberName(one) === 'dirname' ? resolve(here) : undefined;
    return folderOf(one, here);
  };
  if (node.type === 'StringLiteral') return resolve(node.value);
  if (node.type === 'Identifier' || node.type === 'MemberExpression') return part(node);
  const parts =
    node.type === 'BinaryExpression'
      ? [node.left, node.right]
      : node.type === 'CallExpression' &&
          node.callee.type === 'MemberExpression' &&
          /^(?:join|resolve)$/.test(memberName(node.callee) ?? '')
        ? node.arguments
        : [];
  const texts = parts.map(part);
  return texts.length === 0 || texts.includes(undefined) ? undefined : join(...(texts as string[]));
}

/** The folders in a folder whose names begin with a dot. */
function dotFoldersOf(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\.[^.]/.test(entry.name) && entry.name !== '.git')
    .map(({ name }) => name);
}
