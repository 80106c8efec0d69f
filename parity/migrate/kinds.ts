/**
 * Finds what an expression stands for: the module of Express, an application, a router, a route, a request, a response
 * or a body parser. It follows the results of `express()` and `Router()` through variables, chained calls, members and
 * types. A name alone (`app`, `router`, `req`, `res`) is enough only if one of the given files loads Express, and the
 * file itself loads no other framework.
 */

import { METHODS } from 'node:http';
import type { Binding, NodePath, Scope, Visitor } from '@babel/traverse';
import type * as t from '@babel/types';
import { type Modules, WHOLE } from './modules';
import { type Kind, keyOf, memberName, moduleIn, nameOfImport, requiredBy } from './syntax';

export const VERBS: ReadonlySet<string> = new Set([...METHODS.map((method) => method.toLowerCase()), 'all']);
const MODULES = new Set(['express', 'nozomi/4']);
/** A path to the folder of Express itself, as in its own examples and tests: `../..`, `../../lib/express`. */
const OWN_FOLDER = /^(?:\.\.\/)*\.\.(?:\/|\/index(?:\.js)?|\/lib\/express(?:\.js)?)?$/;
const TYPES = new Set([...MODULES, 'express-serve-static-core']);
const OTHER_FRAMEWORKS =
  /^(?:koa|fastify|hono|restify|polka|@koa\/router|koa-router|find-my-way|itty-router)$/;
const PARSERS = new Set(['json', 'urlencoded', 'text', 'raw']);
const KIND_OF_TYPE: Readonly<Record<string, Kind>> = {
  Request: 'req',
  Response: 'res',
  Application: 'app',
  Express: 'app',
  Router: 'router',
  IRouter: 'router',
};
const HANDLERS = new Set(['RequestHandler', 'ErrorRequestHandler', 'Handler']);
const INTEROP = /^_*(?:interopRequire(?:Default|Wildcard)|importDefault|importStar)$/;
/** `_` is a request that the handler does not use. */
const REQUEST = /^(?:_|_?(?:req|request))$/;
const RESPONSE = /^_?(?:res|resp|response|reply)$/;
/** Methods of a response that return the response. */
const CHAINED = new Set(
  'append attachment clearCookie contentType cookie header links location set status type vary'.split(' '),
);

/** What the members of `express` stand for. Functions that are assigned to a member of these are methods: `this` is one. */
const PROTOTYPES: Readonly<Record<string, Kind>> = { application: 'app', request: 'req', response: 'res' };

export class Kinds {
  /** Whether any expression was recognised. */
  isAnyFound = false;
  /** The kind of each assigned member. The keys are source text such as `this.app` and `module.exports`. */
  readonly #members = new Map<string, Kind>();
  readonly #file: string;
  readonly #modules: Modules;
  readonly #usesExpress: boolean;
  readonly #usesAnother: boolean = false;
  readonly #pending = new Set<t.Node | Binding>();

  /**
   * @param file The path of the file.
   * @param modules The modules that it loads.
   * @param usesExpress Whether one of the given files loads Express.
   */
  constructor(file: string, modules: readonly string[], usesExpress: boolean, all: Modules) {
    this.#file = file;
    this.#modules = all;
    this.#usesExpress = usesExpress;
    this.#usesAnother = modules.some((name) => OTHER_FRAMEWORKS.test(name));
  }

  /** Whether a module is Express. */
  isExpress(source: string): boolean {
    return this.#ofExport(source, WHOLE) === 'express';
  }

  /** Records assignments such as `this.app = express()`. Traverse a file with this visitor before calling `of`. */
  get visitor(): Visitor {
    return {
      AssignmentExpression: (path) => {
        const left = path.get('left');
        if (left.isMemberExpression()) this.#note(textOf(left), this.of(path.get('right')));
      },
      ClassProperty: (path) => {
        const value = path.get('value');
        const { key, typeAnnotation } = path.node;
        if (key.type !== 'Identifier') return;
        const kind = value.isExpression() ? this.of(value) : undefined;
        this.#note(`this.${key.name}`, kind ?? this.#ofType(path, typeAnnotation));
      },
      TSParameterProperty: (path) => {
        const { parameter } = path.node;
        const name = parameter.type === 'Identifier' ? parameter : undefined;
        if (name) this.#note(`this.${name.name}`, this.#ofParameter(name, path));
      },
    };
  }

  #note(text: string | undefined, kind: Kind | undefined): void {
    if (text && kind) this.#members.set(text, kind);
  }

  /** Returns the kind of an expression; undefined if it is not known. */
  of(path: NodePath<t.Node | null | undefined>): Kind | undefined {
    const { node } = path;
    return node ? this.#once(node, () => this.#of(path as NodePath)) : undefined;
  }

  /** Ends the search where it began. A variable has many nodes, so a loop through its assignments would be long. */
  #once(what: t.Node | Binding, find: () => Kind | undefined): Kind | undefined {
    if (this.#pending.has(what)) return undefined;
    this.#pending.add(what);
    try {
      const kind = find();
      if (kind) this.isAnyFound = true;
      return kind;
    } finally {
      this.#pending.delete(what);
    }
  }

  #of(path: NodePath): Kind | undefined {
    if (path.isIdentifier()) return this.#ofIdentifier(path);
    if (path.isThisExpression()) return this.#ofThis(path);
    if (path.isCallExpression()) return this.#ofCall(path);
    if (path.isNewExpression()) {
      const made = this.of(path.get('callee'));
      return made === 'Router' ? 'router' : made === 'express' ? 'app' : undefined;
    }
    if (path.isMemberExpression()) return this.#ofMember(path, this.of(path.get('object')));
    if (path.isAssignmentExpression()) return this.of(path.get('right'));
    if (path.isSequenceExpression()) return this.of(path.get('expressions').at(-1) as NodePath);
    if (path.isLogicalExpression()) return this.of(path.get('left')) ?? this.of(path.get('right'));
    if (path.isAwaitExpression()) return this.of(path.get('argument'));
    if (path.isVariableDeclarator() && path.node.id.type === 'Identifier')
      return this.#ofBinding(path.scope.getBinding(path.node.id.name) as Binding, path.node.id.name);
    if (path.isTSAsExpression() || path.isTSNonNullExpression() || path.isParenthesizedExpression())
      return this.of(path.get('expression') as NodePath);
    return undefined;
  }

  /** `this` in `app.resource = function () { this.get(…) }`. */
  #ofThis(path: NodePath): Kind | undefined {
    const method = path.findParent((one) => one.isFunction() && !one.isArrowFunctionExpression());
    const assigned = method?.parentPath;
    const left = assigned?.isAssignmentExpression() ? assigned.get('left') : undefined;
    return left?.isMemberExpression() ? this.of(left.get('object')) : undefined;
  }

  #ofCall(path: NodePath<t.CallExpression>): Kind | undefined {
    const module = requiredBy(path.node);
    if (module !== undefined) return this.#ofExport(module, WHOLE);
    const callee = path.get('callee');
    const object = callee.isMemberExpression() ? this.of(callee.get('object')) : undefined;
    const kind = callee.isMemberExpression() ? this.#ofMember(callee, object) : this.of(callee);
    // Compilers wrap the result of `require` in a helper, such as `__importDefault`.
    const [first] = path.get('arguments');
    if (
      first &&
      callee.isIdentifier() &&
      INTEROP.test(callee.node.name) &&
      this.of(first as NodePath) === 'express'
    )
      return 'express';
    if (kind === 'express') return 'app';
    if (kind === 'Router') return 'router';
    if (kind === 'parser') return 'parser';
    const made = this.#ofResult(callee as NodePath);
    if (made || !callee.isMemberExpression()) return made;
    const name = memberName(callee.node);
    if (object === undefined || name === undefined) return undefined;
    if (object === 'res') return CHAINED.has(name) ? 'res' : undefined;
    if (object === 'route') return VERBS.has(name) ? 'route' : undefined;
    if (object !== 'app' && object !== 'router') return undefined;
    if (name === 'route') return 'route';
    if (name === 'get' && path.node.arguments.length < 2) return undefined;
    return VERBS.has(name) || /^(?:use|set|enable|disable|param|engine|del)$/.test(name) ? object : undefined;
  }

  /** The kind of what a function of the application returns. */
  #ofResult(callee: NodePath): Kind | undefined {
    const fn = this.#modules.functionOf(callee, this.#file);
    if (!fn) return undefined;
    const typed = this.#ofType(fn, (fn.node as t.FunctionDeclaration).returnType);
    if (typed) return typed;
    const body = fn.get('body') as NodePath;
    if (!body.isBlockStatement()) return this.of(body);
    const returned = body.get('body').find((one) => one.isReturnStatement());
    return returned?.isReturnStatement() ? this.of(returned.get('argument')) : undefined;
  }

  #ofMember(path: NodePath<t.MemberExpression>, object: Kind | undefined): Kind | undefined {
    const name = memberName(path.node);
    if (object === 'express' && name === 'Router') return 'Router';
    if (object === 'express' && name !== undefined && PARSERS.has(name)) return 'parser';
    if (object === 'express' && name === 'static') return 'static';
    if (object === 'express' && name === 'default') return 'express';
    if ((object === 'express' || object === 'app') && name !== undefined && Object.hasOwn(PROTOTYPES, name))
      return PROTOTYPES[name];
    if ((object === 'req' || object === 'res') && name === 'app') return 'app';
    if (object === 'req' && name === 'res') return 'res';
    if (object === 'res' && name === 'req') return 'req';
    return this.#members.get(textOf(path) ?? '') ?? this.#ofMemberOf(path.get('object'), name);
  }

  /** A member of a module of the application, or of an object that the file creates. */
  #ofMemberOf(object: NodePath, name: string | undefined): Kind | undefined {
    const source = name === undefined ? undefined : moduleIn(object);
    if (source !== undefined && name !== undefined) return this.#ofExport(source, name);
    const declared = object.isIdentifier() ? object.scope.getBinding(object.node.name)?.path : undefined;
    const init = declared?.isVariableDeclarator() ? (declared.get('init') as NodePath) : undefined;
    if (!init?.isObjectExpression()) return undefined;
    for (const one of init.get('properties')) {
      if (one.isObjectProperty() && one.node.key.type === 'Identifier' && one.node.key.name === name)
        return this.of(one.get('value') as NodePath);
    }
    return undefined;
  }

  #ofIdentifier(path: NodePath<t.Identifier>): Kind | undefined {
    const binding = path.scope.getBinding(path.node.name);
    return binding && this.#once(binding, () => this.#ofBinding(binding, path.node.name));
  }

  #ofBinding(binding: Binding, own: string): Kind | undefined {
    const { path: declared, kind } = binding;
    if (declared.isImportSpecifier()) return this.#ofExport(sourceOf(declared), nameOfImport(declared.node));
    if (declared.isImportDefaultSpecifier() || declared.isImportNamespaceSpecifier()) {
      const name = declared.isImportDefaultSpecifier() ? 'default' : WHOLE;
      return this.#ofExport(sourceOf(declared), name, own);
    }
    if (declared.isTSImportEqualsDeclaration()) {
      const { moduleReference } = declared.node;
      const isExpress =
        moduleReference.type === 'TSExternalModuleReference' && MODULES.has(moduleReference.expression.value);
      return isExpress ? 'express' : undefined;
    }
    if (kind === 'param') return this.#ofParameter(binding.identifier, declared);
    if (!declared.isVariableDeclarator()) return undefined;
    const { id } = declared.node;
    if (id.type === 'ObjectPattern') {
      const name = keyOf(id, binding.identifier.name) ?? '';
      if (declared.node.init?.type === 'ThisExpression') return this.#members.get(`this.${name}`);
      const init = declared.get('init') as NodePath;
      return this.of(init) === 'express' ? this.#ofExport('express', name) : this.#ofMemberOf(init, name);
    }
    if (id.type === 'Identifier') {
      const typed = this.#ofType(declared, id.typeAnnotation);
      if (typed) return typed;
    }
    const init = declared.get('init');
    const initial = this.of(init);
    if (initial) return initial;
    const required = init.isCallExpression() ? requiredBy(init.node) : undefined;
    if (required !== undefined) return this.#byName(own, required);
    for (const violation of binding.constantViolations) {
      if (violation.isAssignmentExpression()) {
        const assigned = this.of(violation.get('right'));
        if (assigned) return assigned;
      }
    }
    return undefined;
  }

  /** @param own The name of the variable, which stands for the export if the file that exports it is not known. */
  #ofExport(source: string, name: string, own = name): Kind | undefined {
    const origin = this.#modules.packageOf(this.#file, source, name);
    if (origin) return this.#ofExport(origin.source, origin.name);
    if (!MODULES.has(source))
      return this.#modules.kindOf(this.#file, source, name) ?? this.#byName(own, source);
    if (name === 'default' || name === WHOLE) return 'express';
    if (name === 'Router' || name === 'static') return name;
    return PARSERS.has(name) ? 'parser' : undefined;
  }

  /** The kind that a name suggests, if another file of the application exports the value. */
  #byName(name: string, source: string): Kind | undefined {
    if (name === 'express' && OWN_FOLDER.test(source)) return 'express';
    return source.startsWith('.') ? this.#named(name) : undefined;
  }

  #named(name: string): Kind | undefined {
    if (!this.#usesExpress || this.#usesAnother) return undefined;
    if (/^(?:app|expressApp)$/.test(name)) return 'app';
    return /^(?:router|expressRouter)$/.test(name) ? 'router' : undefined;
  }

  #ofParameter(identifier: t.Identifier, declared: NodePath): Kind | undefined {
    const typed = this.#ofType(declared, identifier.typeAnnotation);
    if (typed) return typed;
    const given = this.#modules.ofParameter(identifier);
    if (given) return given;
    const fn = declared.getFunctionParent() ?? declared.parentPath;
    const owner = declared.isFunction() ? declared : fn;
    if (!owner?.isFunction()) return undefined;
    const roles = this.rolesOf(owner);
    if (roles.req === identifier) return 'req';
    if (roles.res === identifier) return 'res';
    if (roles.req) return undefined;
    if (identifier.name === 'express' && !this.#usesAnother) return 'express';
    return this.#named(identifier.name);
  }

  /** Finds the parameters of a function that are the request and the response. */
  rolesOf(fn: NodePath<t.Function>): { req?: t.Identifier; res?: t.Identifier } {
    const params = fn.node.params.map(identifierOf);
    const first = this.#firstRole(fn, params);
    const [req, res] = first < 0 ? [] : [params[first], params[first + 1]];
    return { ...(req && { req }), ...(res && { res }) };
  }

  /** The index of the request among the parameters; -1 if the function is not a handler. */
  #firstRole(fn: NodePath<t.Function>, params: ReadonlyArray<t.Identifier | undefined>): number {
    const call = fn.parentPath;
    if (call?.isVariableDeclarator() && this.#isHandlerType(call)) return params.length === 4 ? 1 : 0;
    if (call?.isCallExpression() && fn.listKey === 'arguments') {
      const callee = call.get('callee');
      const name = callee.isMemberExpression() ? memberName(callee.node) : undefined;
      if (name === 'createServer' || name === 'on' || name === 'once') return -1;
      if (callee.isMemberExpression() && name !== undefined) {
        const object = this.of(callee.get('object'));
        if (object === 'app' || object === 'router' || object === 'route') {
          if (name === 'param') return 0;
          if (VERBS.has(name) || name === 'use' || name === 'del') return params.length === 4 ? 1 : 0;
        }
      }
    }
    if (!this.#usesExpress || this.#usesAnother) return -1;
    return params.findIndex(
      (one, index) =>
        one && REQUEST.test(one.name) && params[index + 1] && RESPONSE.test(params[index + 1]?.name ?? ''),
    );
  }

  /** Whether a variable has a type such as `RequestHandler`. */
  #isHandlerType({ node: { id }, scope }: NodePath<t.VariableDeclarator>): boolean {
    const annotation = id.type === 'Identifier' ? id.typeAnnotation : undefined;
    const type = annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation : undefined;
    if (type?.type !== 'TSTypeReference') return false;
    const { typeName } = type;
    if (typeName.type === 'Identifier')
      return HANDLERS.has(typeName.name) && TYPES.has(moduleNamed(scope, typeName.name));
    if (typeName.type !== 'TSQualifiedName' || typeName.left.type !== 'Identifier') return false;
    return HANDLERS.has(typeName.right.name) && TYPES.has(moduleNamed(scope, typeName.left.name));
  }

  #ofType(path: NodePath, annotation: t.Node | null | undefined): Kind | undefined {
    if (annotation?.type !== 'TSTypeAnnotation') return undefined;
    const type = annotation.typeAnnotation;
    if (type.type !== 'TSTypeReference') return undefined;
    const { typeName } = type;
    if (typeName.type === 'TSQualifiedName') {
      const { left, right } = typeName;
      if (left.type !== 'Identifier' || !TYPES.has(moduleNamed(path.scope, left.name))) return undefined;
      return KIND_OF_TYPE[right.name];
    }
    if (typeName.type !== 'Identifier' || !TYPES.has(moduleNamed(path.scope, typeName.name)))
      return undefined;
    return KIND_OF_TYPE[typeName.name];
  }
}

/** Whether a file that loads these modules uses Express. */
export function usesExpress(modules: readonly string[]): boolean {
  return modules.some((name) => TYPES.has(name) || OWN_FOLDER.test(name));
}

/** The module from which a name is imported or required; `''` if there is none. */
function moduleNamed(scope: Scope, name: string): string {
  const declared = scope.getBinding(name)?.path;
  if (declared?.isVariableDeclarator()) return requiredBy(declared.node.init) ?? '';
  return declared ? sourceOf(declared) : '';
}

function sourceOf({ parent }: NodePath): string {
  return parent.type === 'ImportDeclaration' ? parent.source.value : '';
}

function identifierOf(param: t.Node): t.Identifier | undefined {
  if (param.type === 'Identifier') return param;
  if (param.type === 'TSParameterProperty') return identifierOf(param.parameter);
  return param.type === 'AssignmentPattern' && param.left.type === 'Identifier' ? param.left : undefined;
}

/** The source text of a member such as `this.app` or `module.exports`; undefined if it has computed parts. */
function textOf(path: NodePath<t.MemberExpression>): string | undefined {
  const name = memberName(path.node);
  const object = path.get('object');
  if (name === undefined) return undefined;
  if (object.isThisExpression()) return `this.${name}`;
  if (object.isIdentifier()) return `${object.node.name}.${name}`;
  const outer = object.isMemberExpression() ? textOf(object) : undefined;
  return outer === undefined ? undefined : `${outer}.${name}`;
}
