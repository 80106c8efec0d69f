/** Finds routers that no request reaches, or whose paths and parameters are not those that their handlers expect. */

import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { NodePath } from '@babel/traverse';
import type * as t from '@babel/types';
import { VERBS } from '../../migrate/kinds';
import { memberName, requiredBy } from '../../migrate/syntax';
import { changePath, insertAt, rootOf } from '../changes';
import type { LiveApplication } from '../live';
import type { Change, Finding, Site } from '../model';
import { isOfApplication } from '../sites';
import type { Sources } from '../sources';
import { type LiveNode, pathOf, walkTree } from '../tree';
import { CODES } from './codes';
import { functionsOf, precedingOf, titleOf } from './functions';
import { applicationFiles, codeOf, type HandlerCode } from './handler-code';

export function findInRouters(live: LiveApplication): Finding[] {
  const nodes = live.roots.flatMap((root) => [...walkTree(root)]);
  return [
    ...live.roots.slice(1).flatMap((root) => findUnmounted(root, live)),
    ...nodes.flatMap((node) => findUnmerged(node, live)),
    ...nodes.flatMap((node) => findDoubled(node, live)),
    ...nodes.flatMap((node) => findDashes(node, live)),
  ];
}

/** A router that the code only adds routes to, or exports to files that do not use it. */
function findUnmounted(root: LiveNode, live: LiveApplication): Finding[] {
  const [first] = root.children;
  const { sources, home } = live;
  if (root.application || !first?.site || !isOfApplication(first.site.file, home)) return [];
  const call = sources.callAt(first.site);
  const object = call && rootOf(call);
  const binding = object?.isIdentifier() ? object.scope.getBinding(object.node.name) : undefined;
  if (!binding?.constant) return [];
  const uses = binding.referencePaths.filter((path) => !isRegistration(path));
  if (!uses.every((path) => isExport(path) && isUnused(first.site as Site, live))) return [];
  const routes = root.children.filter(({ kind }) => kind === 'route').map(titleOf);
  const named =
    routes.length > 0 ? ` (${routes.slice(0, 3).join(', ')}${routes.length > 3 ? ', …' : ''})` : '';
  return [
    {
      code: CODES.unmounted.code,
      severity: 'warning',
      message: `the router ${binding.identifier.name}${named} is not mounted: no request reaches it`,
      site: { file: first.site.file, line: binding.identifier.loc?.start.line ?? first.site.line },
    },
  ];
}

/** Whether a use of a router only adds something to it: `router.get(…).post(…);`. */
function isRegistration({ parentPath: member, key }: NodePath): boolean {
  if (!member?.isMemberExpression() || key !== 'object' || member.key !== 'callee') return false;
  const name = memberName(member.node) ?? '';
  const call = member.parentPath;
  const isAdding = VERBS.has(name) || name === 'use' || name === 'route' || name === 'param';
  return isAdding && (call.parentPath?.isExpressionStatement() === true || isRegistration(call));
}

/** Whether a use of a router is `module.exports = router` or `export default router`. */
function isExport({ parentPath: outer, key }: NodePath): boolean {
  if (outer?.isExportDefaultDeclaration()) return true;
  if (!outer?.isAssignmentExpression() || key !== 'right' || !outer.parentPath.isExpressionStatement())
    return false;
  const { left } = outer.node;
  return (
    left.type === 'MemberExpression' &&
    left.object.type === 'Identifier' &&
    left.object.name === 'module' &&
    memberName(left) === 'exports'
  );
}

/** Whether each file that loads the file of the router leaves what it gets unused, and at least one file loads it. */
function isUnused({ file }: Site, live: LiveApplication): boolean {
  const found = applicationFiles(live).flatMap((from) => usesOf(file, from, live.sources));
  return found.length > 0 && found.every((isUsed) => !isUsed);
}

/** For each time that a file loads another one, whether it uses what it gets. */
function usesOf(file: string, from: string, sources: Sources): boolean[] {
  const parsed = sources.file(from);
  if (!parsed) return [];
  const uses: boolean[] = [];
  for (const call of parsed.calls) {
    if (!loads(requiredBy(call.node), from, file)) continue;
    const { parentPath: declared } = call;
    const id = declared?.isVariableDeclarator() ? declared.node.id : undefined;
    const binding = id?.type === 'Identifier' ? declared?.scope.getBinding(id.name) : undefined;
    uses.push(!binding || binding.referenced);
  }
  const [anyCall] = parsed.calls;
  const program = anyCall?.findParent((one) => one.isProgram()) as NodePath<t.Program> | undefined;
  for (const statement of program?.get('body') ?? []) {
    if (!statement.isImportDeclaration() || !loads(statement.node.source.value, from, file)) continue;
    for (const { local } of statement.node.specifiers)
      uses.push(program?.scope.getBinding(local.name)?.referenced ?? true);
  }
  return uses;
}

function loads(request: string | undefined, from: string, file: string): boolean {
  if (!request?.startsWith('.')) return false;
  const path = resolve(dirname(from), request);
  const ends = ['', '.js', '.cjs', '.mjs', '.ts', '/index.js', '/index.ts'];
  return ends.some((end) => path + end === file && existsSync(file)) || path.replace(/\.js$/, '.ts') === file;
}

/** A handler that reads a parameter of the mount path in a router without `mergeParams`. */
function findUnmerged(node: LiveNode, live: LiveApplication): Finding[] {
  if (node.kind !== 'route') return [];
  const { visible, hidden } = namesAt(node);
  if (hidden.size === 0) return [];
  const writes = precedingOf(node)
    .flatMap(functionsOf)
    .some(({ handle }) => /params\b[^;=]*=[^=>]/.test(String(handle)));
  if (writes) return [];
  return functionsOf(node).flatMap((one): Finding[] => {
    const code = codeOf(one, node, live);
    const read = code && paramsRead(code).find(({ name }) => hidden.has(name) && !visible.has(name));
    if (!code || !read) return [];
    return [
      {
        code: CODES.unmerged.code,
        severity: 'warning',
        message: `${one.name} of ${titleOf(node)} reads req.params.${read.name}, which is undefined: the parameter belongs to the mount path, and the router has no mergeParams`,
        site: code.siteOf(read.node),
        change: mergingRouter(node, live.sources),
      },
    ];
  });
}

/** The names of the parameters of all paths above a node: those that its handlers see, and the others. */
function namesAt(node: LiveNode): { visible: ReadonlySet<string>; hidden: ReadonlySet<string> } {
  const visible = new Set(node.params);
  const hidden = new Set<string>();
  let isMerging = true;
  for (let outer = node.parent; outer; outer = outer.parent) {
    isMerging &&= Boolean((outer.router as { mergeParams?: unknown } | undefined)?.mergeParams);
    for (const name of outer.params) (isMerging ? visible : hidden).add(name);
  }
  return { visible, hidden };
}

interface ParamRead {
  readonly name: string;
  readonly node: t.Node;
}

/** The parameters that a handler reads by name: `req.params.id`, `req.params['id']`, `const { id } = req.params`. */
function paramsRead(code: HandlerCode): ParamRead[] {
  const reads: ParamRead[] = [];
  const isParams = (path: NodePath): boolean =>
    path.isMemberExpression() && memberName(path.node) === 'params' && code.isRequest(path.get('object'));
  code.fn.traverse({
    MemberExpression(path) {
      const name = memberName(path.node);
      if (name !== undefined && isParams(path.get('object')) && path.key !== 'left')
        reads.push({ name, node: path.node });
    },
    VariableDeclarator(path) {
      const { id } = path.node;
      if (id.type !== 'ObjectPattern' || !path.node.init || !isParams(path.get('init') as NodePath)) return;
      for (const one of id.properties)
        if (one.type === 'ObjectProperty' && one.key.type === 'Identifier' && !one.computed)
          reads.push({ name: one.key.name, node: one });
    },
  });
  return reads;
}

/** Adds `mergeParams` to the call that created the router. */
function mergingRouter(node: LiveNode, sources: Sources): Change | undefined {
  const call = sources.callAt(node.site);
  const object = call && rootOf(call);
  const declared = object?.isIdentifier() ? object.scope.getBinding(object.node.name)?.path : undefined;
  const init = declared?.isVariableDeclarator() ? declared.node.init : undefined;
  const parsed = node.site && sources.file(node.site.file);
  if (init?.type !== 'CallExpression') return undefined;
  const [options] = init.arguments;
  const fix = 'create the router with { mergeParams: true }';
  if (!options) return insertAt(parsed, (init.end ?? 1) - 1, '{ mergeParams: true }', fix);
  return options.type === 'ObjectExpression'
    ? insertAt(parsed, (options.start ?? 0) + 1, ' mergeParams: true,', fix)
    : undefined;
}

/** A path that repeats the path that its router is mounted on. */
function findDoubled(node: LiveNode, { sources }: LiveApplication): Finding[] {
  const [prefix, ...others] = node.parent?.paths ?? [];
  const path = node.layer && pathOf(node.layer);
  const isMounted = node.parent?.parent !== undefined;
  if (
    !isMounted ||
    others.length > 0 ||
    !prefix ||
    !/^(?:\/[\w.-]+)+$/.test(prefix) ||
    typeof path !== 'string'
  )
    return [];
  if (path !== prefix && !path.startsWith(`${prefix}/`)) return [];
  return [
    {
      code: CODES.doubled.code,
      severity: 'note',
      message: `the router is mounted on ${prefix}, so "${path}" matches ${node.fullPaths.join(', ')}`,
      site: node.site,
      change: changePath(sources, node.site, path, path.slice(prefix.length) || '/'),
    },
  ];
}

// A parameter and the text after it: ":user-id". Not ":from-:to".
const DASHED = /:([A-Za-z_]\w*)-([A-Za-z]\w*)(?![\w:-])/g;

/** A parameter whose name is meant to contain a dash. */
function findDashes(node: LiveNode, live: LiveApplication): Finding[] {
  const path = node.layer && pathOf(node.layer);
  if (typeof path !== 'string') return [];
  return [...path.matchAll(DASHED)].flatMap(([all, name = '', rest = '']): Finding[] => {
    const meant = `${name}-${rest}`;
    const reads = functionsOf(node).flatMap((one) => {
      const code = codeOf(one, node, live);
      const read = code && paramsRead(code).find((each) => each.name === meant);
      return code && read ? [code.siteOf(read.node)] : [];
    });
    const message = `in "${path}", the parameter is ${name}, and -${rest} is text that the path must contain`;
    return [
      {
        code: CODES.dashed.code,
        severity: reads.length > 0 ? 'warning' : 'note',
        message: reads.length > 0 ? `${message}: req.params['${meant}'] is undefined` : message,
        site: node.site,
        change:
          reads.length > 0 && node.series === '5.x'
            ? changePath(live.sources, node.site, path, path.replace(all, `:"${meant}"`))
            : undefined,
      },
    ];
  });
}
