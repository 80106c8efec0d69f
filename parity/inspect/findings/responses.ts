/** Finds calls in handlers that cannot do what they are meant to: wrong arguments, two responses, or none. */
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { memberName } from '../../migrate/syntax';
import { insertAt, replaceNode } from '../changes';
import { covers, shapesOf } from '../cover';
import { endsRequest } from '../handlers';
import type { LiveApplication } from '../live';
import type { Change, Finding } from '../model';
import type { LiveNode } from '../tree';
import { CODES } from './codes';
import { followingOf, functionsOf } from './functions';
import {
  applicationOf,
  type Checks,
  type HandlerCode,
  handlersIn,
  type Mistake,
  methodOf,
  parameterOf,
  reportsOf,
} from './handler-code';
import { HOST, isStatus, RESPONDS, redirectsWithoutScheme, SENDS, SETS_HEADER } from './response-calls';
import { isSwapped } from './swapped';

export function findInResponses(live: LiveApplication): Finding[] {
  return handlersIn(live).flatMap(findInResponsesOf);
}

/** Without a running application, it finds only what the handler itself shows. */
export function findInResponsesOf(code: HandlerCode): Finding[] {
  const checks: Checks = {
    CallExpression: (path) =>
      statusAsBody(path, code) ??
      removedMember(path, code) ??
      hostWithoutScheme(path, code) ??
      unknownStatus(path, code) ??
      sentPromise(path, code),
    BlockStatement: (path) => secondResponse(path, code),
    Identifier: (path) => undeclaredNext(path, code),
    BinaryExpression: (path) => comparedText(path, code),
    ThrowStatement: (path) => thrownInCallback(path, code),
    TryStatement: (path) => silentCatch(path, code),
  };
  return isSwapped(code) ? [] : reportsOf(code, checks);
}

/** Two calls that respond and stand in one block, the first of them perhaps in an `if` without `else`. */
function secondResponse(path: NodePath<t.BlockStatement>, code: HandlerCode): Mistake | undefined {
  let first: { readonly name: string; readonly statement: NodePath } | undefined;
  for (const statement of path.get('body') as NodePath<t.Statement>[]) {
    const name = respondsBy(statement, code);
    const next = nextIn(statement, code);
    const shown = first && nameOfCall(first.name);
    if (first && shown) {
      const change = returnBefore(first.statement, code);
      // `res.send(…); res.end()` does no harm.
      if (name && name !== 'end')
        return {
          code: CODES.secondResponse.code,
          message:
            first.name === 'next'
              ? `may respond twice: ${shown} runs the next handlers, and then res.${name}() responds`
              : `may respond twice: with ${shown}, and then with res.${name}()`,
          node: statement.node,
          change,
        };
      if (next && first.name !== 'next' && respondsAfter(code, next))
        return {
          code: CODES.secondResponse.code,
          message: `calls next() after ${shown}: a handler after it responds again`,
          node: statement.node,
          change: next.arguments.length > 0 ? change : undefined,
        };
      const set = SENDS.has(first.name) ? headerIn(statement, code) : undefined;
      if (set)
        return {
          code: CODES.headerAfter.code,
          message: `calls res.${set}() after ${shown}, which has sent the headers`,
          node: statement.node,
        };
    }
    if (first) continue;
    if (name) first = { name, statement };
    else if (next) first = { name: 'next', statement };
    else first = inBranch(statement, code);
  }
  return undefined;
}

function nameOfCall(name: string): string {
  return name === 'next' ? 'next()' : `res.${name}()`;
}

function respondsBy(statement: NodePath, code: HandlerCode): string | undefined {
  const name = statement.isExpressionStatement() ? methodOf(statement.get('expression'), code) : undefined;
  return name !== undefined && RESPONDS.has(name) ? name : undefined;
}

function headerIn(statement: NodePath, code: HandlerCode): string | undefined {
  const name = statement.isExpressionStatement() ? methodOf(statement.get('expression'), code) : undefined;
  return name !== undefined && SETS_HEADER.has(name) ? name : undefined;
}

/** The call of `next` that a statement consists of; not `next('route')`. */
function nextIn(statement: NodePath, code: HandlerCode): t.CallExpression | undefined {
  const call = statement.isExpressionStatement() ? statement.get('expression') : undefined;
  if (!call?.isCallExpression() || !code.isNext(call.get('callee') as NodePath)) return undefined;
  return call.node.arguments[0]?.type === 'StringLiteral' ? undefined : call.node;
}

/** The call at the end of the branch of an `if`, if the code after the `if` runs next. */
function inBranch(
  statement: NodePath,
  code: HandlerCode,
): { readonly name: string; readonly statement: NodePath } | undefined {
  if (!statement.isIfStatement() || statement.node.alternate) return undefined;
  const branch = statement.get('consequent') as NodePath;
  const last = (branch.isBlockStatement() ? branch.get('body').at(-1) : branch) as NodePath | undefined;
  if (!last) return undefined;
  const name = respondsBy(last, code) ?? (nextIn(last, code) && 'next');
  return name === undefined ? undefined : { name, statement: last };
}

/** Ends the function behind the first response, if the statement is not the last of a function of its own. */
function returnBefore(statement: NodePath, code: HandlerCode): Change | undefined {
  if (statement.getFunctionParent()?.node !== code.fn.node) return undefined;
  const { start, loc } = statement.node;
  return insertAt(code.parsed, start, 'return ', `write return on line ${loc?.start.line}`);
}

/** Whether `next()` certainly reaches a handler that responds. */
function respondsAfter({ live }: HandlerCode, next: t.CallExpression): boolean {
  // An error reaches an error handler, or Express responds or closes the connection.
  if (next.arguments.length > 0) return true;
  if (!live) return false;
  const { node, handle } = live;
  const own = functionsOf(node);
  const later = own.slice(own.findIndex((one) => one.handle === handle) + 1);
  if (later.some((one) => endsRequest(one.handle))) return true;
  return followingOf(node).some((other) => isEnd(other) && covers(shapesOf(other), shapesOf(node)));
}

function isEnd({ kind, layer, router }: LiveNode): boolean {
  return kind === 'middleware' && !router && layer !== undefined && endsRequest(layer.handle);
}

const isStatusNode = (node: t.Node | undefined): node is t.NumericLiteral =>
  node?.type === 'NumericLiteral' && isStatus(node.value);

/** `res.send(404)`, `res.json(404, body)`, `res.json(body, 404)` and `res.redirect(url, 301)`, as in Express 4. */
function statusAsBody(path: NodePath<t.CallExpression>, code: HandlerCode): Mistake | undefined {
  const name = methodOf(path, code);
  const { arguments: args, callee } = path.node;
  if (code.series !== '5.x' || callee.type !== 'MemberExpression') return undefined;
  if (name !== 'send' && name !== 'json' && name !== 'jsonp' && name !== 'redirect') return undefined;
  const [first, second] = args;
  const object = (path.get('callee') as NodePath<t.MemberExpression>).get('object');
  const text = (node: t.Node): string => code.parsed?.text.slice(node.start ?? 0, node.end ?? 0) ?? '';
  const mistake = (message: string, written: string): Mistake => ({
    code: CODES.statusAsBody.code,
    message,
    node: path.node,
    change: code.isResponse(object)
      ? replaceNode(code.parsed, path.node, `${text(object.node)}.${written}`)
      : undefined,
  });
  if (name === 'redirect') {
    if (args.length !== 2 || !isStatusNode(second) || !first || isStatusNode(first)) return undefined;
    return mistake(
      `calls res.redirect(url, ${second.value}): Express 5 takes the status first`,
      `redirect(${second.value}, ${text(first)})`,
    );
  }
  if (args.length === 2 && first && second && (isStatusNode(first) || isStatusNode(second))) {
    const [status, body] = isStatusNode(first) ? [first, second] : [second, first];
    const shown = isStatusNode(first)
      ? `${first.value}, body`
      : `body, ${(second as t.NumericLiteral).value}`;
    return mistake(
      `calls res.${name}(${shown}): Express 5 sends the first argument as the body, and ignores the second`,
      `status(${text(status)}).${name}(${text(body)})`,
    );
  }
  if (name !== 'send' || args.length !== 1 || !isStatusNode(first) || !code.isResponse(object))
    return undefined;
  return mistake(
    `calls res.send(${first.value}): Express 5 sends the number as the body, not as the status`,
    `sendStatus(${first.value})`,
  );
}

/** Members of requests and responses that Express 5 does not have, and what replaces them. */
const REMOVED: Readonly<Record<string, string | undefined>> = {
  param: undefined,
  acceptsCharset: 'acceptsCharsets',
  acceptsEncoding: 'acceptsEncodings',
  acceptsLanguage: 'acceptsLanguages',
  sendfile: undefined,
};

function removedMember(path: NodePath<t.CallExpression>, code: HandlerCode): Mistake | undefined {
  const callee = path.get('callee') as NodePath;
  const name = callee.isMemberExpression() ? memberName(callee.node) : undefined;
  if (code.series !== '5.x' || name === undefined || !Object.hasOwn(REMOVED, name)) return undefined;
  const object = (callee as NodePath<t.MemberExpression>).get('object');
  const isResponse = name === 'sendfile' ? methodOf(path, code) === name : false;
  if (!isResponse && (name === 'sendfile' || !code.isRequest(object))) return undefined;
  // A plugin may have added it.
  if (!code.live) return undefined;
  const { request, response } = Object(applicationOf(code.live.node)) as Record<string, object | undefined>;
  if (typeof Reflect.get(Object(isResponse ? response : request), name) === 'function') return undefined;
  const other = REMOVED[name];
  return {
    code: CODES.removedMember.code,
    message: `calls ${isResponse ? 'res' : 'req'}.${name}(), which Express 5 does not have`,
    node: path.node,
    change:
      (other && replaceNode(code.parsed, (callee.node as t.MemberExpression).property, other)) || undefined,
  };
}

function hostWithoutScheme(path: NodePath<t.CallExpression>, code: HandlerCode): Mistake | undefined {
  const name = methodOf(path, code);
  const last = path.node.arguments.at(-1);
  if ((name !== 'redirect' && name !== 'location') || last?.type !== 'StringLiteral') return undefined;
  if (!HOST.test(last.value)) return undefined;
  return {
    code: CODES.hostWithoutScheme.code,
    message: redirectsWithoutScheme(last.value),
    node: last,
    change: replaceNode(code.parsed, last, `'https://${last.value}'`),
  };
}

/** `res.status(undefined)`, and `res.status(err.status)` for an error without a status. */
function unknownStatus(path: NodePath<t.CallExpression>, code: HandlerCode): Mistake | undefined {
  const name = methodOf(path, code);
  const [status, ...others] = path.get('arguments') as NodePath[];
  if ((name !== 'status' && name !== 'sendStatus') || others.length > 0) return undefined;
  const mistake = (message: string, change?: Change): Mistake => ({
    code: CODES.statusUnknown.code,
    message,
    node: path.node,
    change,
  });
  if (!status || (status.isIdentifier() && status.node.name === 'undefined') || status.isNullLiteral())
    return mistake(
      `calls res.${name}(${status ? (status.isNullLiteral() ? 'null' : 'undefined') : ''}): the status must be an integer`,
    );
  if (!code.isErrorHandler || !status.isMemberExpression() || status.node.object.type !== 'Identifier')
    return undefined;
  const err = parameterOf(code.fn, 0);
  const object = status.get('object');
  const member = memberName(status.node);
  if (!err || !object.isIdentifier() || !/^status(?:Code)?$/.test(member ?? '')) return undefined;
  const binding = object.scope.getBinding(object.node.name);
  if (binding?.identifier !== err) return undefined;
  // Another use may test or set it.
  const isUsedElsewhere = binding.referencePaths.some(
    ({ parentPath: use, key }) =>
      key !== 'object' ||
      (use?.node !== status.node &&
        /^status(?:Code)?$/.test(memberName(use?.node as t.MemberExpression) ?? '')),
  );
  if (isUsedElsewhere || setsStatusBefore(code)) return undefined;
  return mistake(
    `calls res.${name}(err.${member}), which throws for an error without ${member}`.replace(
      'err.',
      `${err.name}.`,
    ),
    insertAt(code.parsed, status.node.end, ' ?? 500', `write ${err.name}.${member} ?? 500`),
  );
}

/** Whether an earlier error handler may give each error a status. */
function setsStatusBefore({ live }: HandlerCode): boolean {
  if (!live) return true;
  const { node } = live;
  const before = node.parent?.children.slice(0, node.parent.children.indexOf(node)) ?? [];
  return before.some(
    (one) => one.kind === 'error handler' && /\.status(?:Code)?\b/.test(String(one.layer?.handle)),
  );
}

function sentPromise(path: NodePath<t.CallExpression>, code: HandlerCode): Mistake | undefined {
  const name = methodOf(path, code);
  const [first] = path.get('arguments') as NodePath[];
  if ((name !== 'json' && name !== 'send' && name !== 'jsonp') || !first) return undefined;
  const values = first.isObjectExpression()
    ? first.get('properties').flatMap((one) => (one.isObjectProperty() ? [one.get('value') as NodePath] : []))
    : [first];
  const promise = values.find((value) => isPromise(value));
  if (!promise) return undefined;
  const { node } = promise;
  const text = code.parsed?.text.slice(node.start ?? 0, node.end ?? 0) ?? 'a promise';
  const isAsync = path.getFunctionParent()?.node.async === true;
  return {
    code: CODES.promiseSent.code,
    message: `passes the promise ${text.length > 40 ? `${text.slice(0, 39)}…` : text} to res.${name}(): the response contains {} in place of its value`,
    node: path.node,
    change: isAsync ? insertAt(code.parsed, node.start, 'await ', 'write await') : undefined,
  };
}

/** Whether an expression is certainly a promise. */
function isPromise(path: NodePath): boolean {
  if (path.isNewExpression()) return isGlobal(path.get('callee') as NodePath, 'Promise');
  if (path.isIdentifier()) {
    const binding = path.scope.getBinding(path.node.name);
    const init =
      binding?.constant && binding.path.isVariableDeclarator() ? binding.path.get('init') : undefined;
    const isPlain =
      (binding?.path.node as Partial<t.VariableDeclarator> | undefined)?.id?.type === 'Identifier';
    return isPlain && Boolean((init as NodePath | undefined)?.node) && isPromise(init as NodePath);
  }
  if (!path.isCallExpression()) return false;
  const callee = path.get('callee') as NodePath;
  if (isGlobal(callee, 'fetch')) return true;
  if (callee.isMemberExpression()) return isGlobal(callee.get('object'), 'Promise');
  const declared = callee.isIdentifier() ? callee.scope.getBinding(callee.node.name) : undefined;
  if (!declared?.constant) return false;
  const init = declared.path.isVariableDeclarator() ? (declared.path.get('init') as NodePath) : declared.path;
  return init.isFunction() && init.node.async === true && init.node.generator !== true;
}

function isGlobal(path: NodePath, name: string): boolean {
  return path.isIdentifier() && path.node.name === name && !path.scope.hasBinding(name, true);
}

function undeclaredNext(path: NodePath<t.Identifier>, code: HandlerCode): Mistake | undefined {
  if (path.node.name !== 'next' || path.key !== 'callee' || path.parent.type !== 'CallExpression')
    return undefined;
  // The text of compiled code alone does not show the variables around it.
  if (!code.parsed || path.scope.hasBinding('next') || 'next' in globalThis) return undefined;
  const { params } = code.fn.node;
  const last = params.at(-1);
  const isMissing =
    params.length === (code.isErrorHandler ? 3 : 2) && path.getFunctionParent()?.node === code.fn.node;
  return {
    code: CODES.nextUndeclared.code,
    message: 'calls next(), but has no parameter or variable of this name: it throws a ReferenceError',
    node: path.node,
    change:
      isMissing && last ? insertAt(code.parsed, last.end, ', next', 'declare the parameter next') : undefined,
  };
}

/** `req.params.id === 1`: parameters are texts. */
function comparedText(path: NodePath<t.BinaryExpression>, code: HandlerCode): Mistake | undefined {
  const { operator, right } = path.node;
  if ((operator !== '===' && operator !== '!==') || right.type !== 'NumericLiteral') return undefined;
  const left = path.get('left') as NodePath;
  const params = left.isMemberExpression() ? left.get('object') : undefined;
  if (!left.isMemberExpression() || !params?.isMemberExpression() || memberName(params.node) !== 'params')
    return undefined;
  const name = memberName(left.node);
  if (!code.isRequest(params.get('object')) || name === undefined) return undefined;
  if (convertsBefore(code)) return undefined;
  return {
    code: CODES.paramCompared.code,
    message: `compares req.params.${name} with the number ${right.value}: parameters are texts, so it is always ${operator === '!=='}`,
    node: path.node,
    change: replaceNode(code.parsed, right, `'${right.value}'`),
  };
}

/** Whether the handler or another function may assign a parameter: a callback of the parameter, or an earlier handler. */
function convertsBefore({ live }: HandlerCode): boolean {
  if (!live) return true;
  const { node, handle } = live;
  if (/params\b[^=;]*[^=!<>]=[^=]/.test(String(handle))) return true;
  for (let one: LiveNode | undefined = node; one; one = one.parent)
    if (one.paramCallbacks.length > 0) return true;
  const own = functionsOf(node);
  return own
    .slice(
      0,
      own.findIndex((one) => one.handle === handle),
    )
    .some(
      (one) =>
        /\bparams\b/.test(String(one.handle)) ||
        one.handle.length < 3 ||
        /\[native code\]/.test(String(one.handle)),
    );
}

/** Functions that call their callback later, when nothing catches what it throws. */
const LATER = /^(?:setTimeout|setInterval|setImmediate|queueMicrotask)$/;
const LATER_OF_FS =
  /^(?:readFile|writeFile|appendFile|readdir|stat|lstat|mkdir|rmdir|rm|unlink|rename|copyFile|access|open|realpath)$/;

/** `throw` in a callback that Node.js calls later: it ends the process. */
function thrownInCallback(path: NodePath<t.ThrowStatement>, code: HandlerCode): Mistake | undefined {
  const fn = path.getFunctionParent();
  const call = fn?.parentPath;
  if (
    !fn ||
    fn.node === code.fn.node ||
    fn.node.async ||
    !call?.isCallExpression() ||
    fn.listKey !== 'arguments'
  )
    return undefined;
  if (
    path.findParent(
      (one) => one === fn || (one.key === 'block' && Boolean(one.parentPath?.isTryStatement())),
    ) !== fn
  )
    return undefined;
  const callee = call.get('callee') as NodePath;
  const object = callee.isMemberExpression() ? callee.get('object') : undefined;
  const name = callee.isMemberExpression()
    ? memberName(callee.node)
    : callee.isIdentifier()
      ? callee.node.name
      : '';
  const isLater = object
    ? (object.isIdentifier() && object.node.name === 'fs' && LATER_OF_FS.test(name ?? '')) ||
      (isGlobal(object, 'process') && name === 'nextTick')
    : LATER.test(name ?? '') && isGlobal(callee, name ?? '');
  if (!isLater) return undefined;
  const next = parameterOf(code.fn, code.isErrorHandler ? 3 : 2)?.name;
  const { argument } = path.node;
  const text = code.parsed?.text.slice(argument.start ?? 0, argument.end ?? 0);
  return {
    code: CODES.thrownLater.code,
    message: `throws in the callback of ${object?.isIdentifier() ? `${object.node.name}.` : ''}${name}(): Express does not catch it, and the process ends`,
    node: path.node,
    change: next && text ? replaceNode(code.parsed, path.node, `return ${next}(${text});`) : undefined,
  };
}

/** A `try` with a response, whose `catch` neither responds nor continues, and nothing follows. */
function silentCatch(path: NodePath<t.TryStatement>, code: HandlerCode): Mistake | undefined {
  const { handler, finalizer } = path.node;
  const isLast =
    path.parentPath.node === code.fn.node.body && path.key === (path.container as t.Node[]).length - 1;
  if (!handler || finalizer || !isLast || code.isErrorHandler) return undefined;
  const names = [1, 2].map((index) => parameterOf(code.fn, index)?.name);
  const [response] = names;
  if (!response || parameterOf(code.fn, 0) === undefined) return undefined;
  const usesIn = (node: NodePath): Set<string> => {
    const used = new Set<string>();
    node.traverse({
      Identifier: (one) => void used.add(one.node.name),
      ThrowStatement: () => void used.add('throw'),
      CallExpression: (call) => {
        const name = methodOf(call, code);
        if (name && RESPONDS.has(name)) used.add('responds');
      },
    });
    return used;
  };
  const caught = usesIn(path.get('handler') as NodePath);
  const request = parameterOf(code.fn, 0)?.name ?? '';
  const isSilent = ![...names, request, 'throw', 'process', 'arguments'].some(
    (name) => name !== undefined && caught.has(name),
  );
  if (!isSilent || !usesIn(path.get('block')).has('responds')) return undefined;
  const next = names[1];
  const err = handler.param?.type === 'Identifier' ? handler.param.name : undefined;
  const end = (handler.body.end ?? 1) - 1;
  return {
    code: CODES.silentCatch.code,
    message: 'does not respond in its catch, nor pass the error on: after an error the request hangs',
    node: handler,
    change:
      next && err
        ? insertAt(code.parsed, end, ` ${next}(${err}); `, `call ${next}(${err}) in the catch`)
        : undefined,
  };
}
