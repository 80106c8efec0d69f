/** Keeps what happens if an application cannot listen. Express 5 passes the error to the callback of `app.listen`. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { type Context, located, textAt } from './context';
import { memberName } from './syntax';

export function migrateListen(path: NodePath<t.CallExpression>, context: Context): void {
  const callee = path.get('callee');
  if (!callee.isMemberExpression() || memberName(callee.node) !== 'listen') return;
  if (context.kinds.of(callee.get('object')) !== 'app' || path.node.arguments.length === 0) return;
  const callback = path.get('arguments').at(-1) as NodePath;
  if (!isCallback(callback)) return;
  const server = serverOf(path);
  if (server === 'unknown') {
    context.refuse(
      path,
      'Express 5 calls this callback with an error if the server cannot listen: does code elsewhere handle it?',
    );
    return;
  }
  const check = server === 'handled' ? 'if (error) return;' : 'if (error) throw error;';
  if (callback.isFunction()) {
    if (callback.node.params.length > 0) return;
    addCheck(callback as NodePath<t.Function>, check, context);
  } else {
    const { start, end } = located(callback.node);
    context.edits.replace(start, end, `(error) => { ${check} ${textAt(context, callback.node)}(); }`);
  }
  context.change(path.node, 'the callback of listen() is not called for an error, as in Express 4');
}

/** Whether an argument may be the callback. Ports, hosts and options are the other arguments. */
function isCallback(path: NodePath): boolean {
  if (path.isFunction()) return true;
  if (path.key === 0) return false;
  if (path.isMemberExpression())
    return !/^(?:host|hostname|port|backlog|address)$/i.test(memberName(path.node) ?? '');
  return path.isIdentifier() && !/host|port|address|undefined/i.test(path.node.name);
}

/** Adds the parameter and the check to a function without parameters. */
function addCheck(fn: NodePath<t.Function>, check: string, { edits, source }: Context): void {
  const { start } = located(fn.node);
  const body = located(fn.node.body as t.Node);
  const open = source.indexOf('(', start);
  edits.insert(open + 1, 'error');
  if (body.type === 'BlockStatement') edits.insert(body.start + 1, ` ${check}`);
  else {
    const text = edits.text(body.start, body.end);
    const isWrapped = source[body.start - 1] === '(';
    if (isWrapped) return edits.insert(body.start, `${check.replace(';', '')}, `);
    edits.replace(body.start, body.end, `{ ${check} ${text}; }`);
  }
}

/** Whether other code handles the event `error` of the server; `unknown` if it is passed on. */
function serverOf(path: NodePath<t.CallExpression>): 'handled' | 'alone' | 'unknown' {
  const { parentPath: outer } = path;
  if (outer?.isExpressionStatement()) return 'alone';
  if (outer?.isMemberExpression()) return isErrorListener(outer) ? 'handled' : 'unknown';
  const binding =
    outer?.isVariableDeclarator() && outer.node.id.type === 'Identifier'
      ? outer.scope.getBinding(outer.node.id.name)
      : undefined;
  if (!binding?.constant) return 'unknown';
  const uses = binding.referencePaths.map(({ parentPath, key }) =>
    parentPath?.isMemberExpression() && key === 'object' ? parentPath : undefined,
  );
  if (uses.some((use) => use && isErrorListener(use))) return 'handled';
  return uses.every((use) => use !== undefined) ? 'alone' : 'unknown';
}

function isErrorListener({ node, parent }: NodePath<t.MemberExpression>): boolean {
  if (!/^(?:on|once|addListener|prependListener)$/.test(memberName(node) ?? '')) return false;
  const first = parent.type === 'CallExpression' ? parent.arguments[0] : undefined;
  return first?.type !== 'StringLiteral' || first.value === 'error';
}
