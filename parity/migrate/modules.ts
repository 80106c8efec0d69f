/**
 * Follows values between the files of an application: what each file exports, what it imports from the others, and which
 * applications, routers, requests and responses it passes to functions.
 */
import { dirname, join } from 'node:path';
import type { NodePath, Visitor } from '@babel/traverse';
import type * as t from '@babel/types';
import { type Kind, keyOf, keyText, memberName, moduleIn, nameOfImport, requiredBy } from './syntax';

/** The name of what `require()` returns, which no exported name can be. */
export const WHOLE = '=';
const EXTENSIONS = ['', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.jsx', '.tsx'];

/** An exported value: an expression or a declaration of the file, or an export of another file or package. */
type Exported = NodePath | { readonly source: string; readonly name: string };

/** Finds what the expressions of a file stand for. */
interface Kinds {
  of(path: NodePath): Kind | undefined;
}

interface Module {
  readonly kinds: Kinds;
  readonly exports: Map<string, Exported>;
  /** The files and packages of `export * from`. */
  readonly all: string[];
}

export class Modules {
  readonly #modules = new Map<string, Module>();
  readonly #parameters = new Map<t.Node, Kind>();
  readonly #searched = new Set<string>();
  /** Whether the last traversal has found a parameter that was not known before. */
  isChanged = false;

  add(file: string, kinds: Kinds): void {
    this.#modules.set(file, { kinds, exports: new Map(), all: [] });
  }

  /** Collects what a file exports. */
  exportsOf(file: string): Visitor {
    const { exports, all } = this.#modules.get(file) as Module;
    return {
      ExportAllDeclaration: ({ node }) => void all.push(node.source.value),
      ExportDefaultDeclaration: (path) => void exports.set('default', path.get('declaration') as NodePath),
      ExportNamedDeclaration(path) {
        const { source, specifiers } = path.node;
        for (const [index, one] of specifiers.entries()) {
          const name = one.exported.type === 'Identifier' ? one.exported.name : one.exported.value;
          if (source) {
            const local = one.type === 'ExportSpecifier' ? one.local.name : WHOLE;
            exports.set(name, { source: source.value, name: local });
          } else exports.set(name, path.get(`specifiers.${index}.local`) as NodePath);
        }
        const declared = path.get('declaration') as NodePath;
        for (const name of Object.keys(declared.node ? declared.getBindingIdentifiers() : {})) {
          const found = path.scope.getBinding(name);
          if (found) exports.set(name, found.path);
        }
      },
      AssignmentExpression(path) {
        const left = path.get('left');
        if (!left.isMemberExpression()) return;
        const right = path.get('right') as NodePath;
        const name = memberName(left.node) ?? '';
        if (isModuleExports(left.node)) noteWhole(right, exports);
        else if (isModuleExports(left.node.object) || isNamed(left.node.object, 'exports'))
          exports.set(name, right);
      },
    };
  }

  /** Notes the parameters of functions of the application that are called with something of Express. */
  callsOf(file: string): Visitor {
    const note = (path: NodePath<t.CallExpression | t.NewExpression>): void => {
      const { kinds } = this.#modules.get(file) as Module;
      const given = (path.get('arguments') as NodePath[]).map((one) => kinds.of(one));
      if (given.every((kind) => kind === undefined)) return;
      const fn = this.functionOf(path.get('callee') as NodePath, file);
      for (const [index, kind] of given.entries()) {
        const param = fn?.node.params[index];
        const name = param?.type === 'TSParameterProperty' ? param.parameter : param;
        if (!kind || name?.type !== 'Identifier' || this.#parameters.get(name) === kind) continue;
        this.#parameters.set(name, kind);
        this.isChanged = true;
      }
    };
    return { CallExpression: note, NewExpression: note };
  }

  /** What a function was called with for this parameter. */
  ofParameter(identifier: t.Node): Kind | undefined {
    return this.#parameters.get(identifier);
  }

  /** Returns the kind of what a module of the application exports under a name; undefined if it is not known. */
  kindOf(file: string, source: string, name: string): Kind | undefined {
    return this.#search(file, source, name, (found, at) => (this.#modules.get(at) as Module).kinds.of(found));
  }

  /** Finds the function of the application that an expression calls or constructs. */
  functionOf(path: NodePath, file: string): NodePath<t.Function> | undefined {
    if (path.isFunction()) return path;
    if (path.isClass()) return constructorOf(path);
    if (path.isVariableDeclarator()) return this.#functionOfVariable(path, file);
    if (path.isIdentifier()) {
      const declared = path.scope.getBinding(path.node.name)?.path;
      if (!declared || declared.isIdentifier()) return undefined;
      if (declared.parentPath?.isImportDeclaration()) {
        const name = declared.isImportSpecifier() ? nameOfImport(declared.node) : 'default';
        return this.#functionAt(file, declared.parentPath.node.source.value, name);
      }
      if (declared.isVariableDeclarator() && declared.node.id.type === 'ObjectPattern') {
        const name = keyOf(declared.node.id, path.node.name);
        const source = requiredBy(declared.node.init);
        return name && source ? this.#functionAt(file, source, name) : undefined;
      }
      return this.functionOf(declared, file);
    }
    if (path.isMemberExpression()) {
      const source = moduleIn(path.get('object'));
      return source === undefined ? undefined : this.#functionAt(file, source, memberName(path.node) ?? '');
    }
    const source = path.isCallExpression() ? requiredBy(path.node) : undefined;
    return source === undefined ? undefined : this.#functionAt(file, source, WHOLE);
  }

  #functionOfVariable(path: NodePath<t.VariableDeclarator>, file: string): NodePath<t.Function> | undefined {
    const init = path.get('init') as NodePath;
    return init.node && !init.isIdentifier() ? this.functionOf(init, file) : undefined;
  }

  #functionAt(file: string, source: string, name: string): NodePath<t.Function> | undefined {
    return this.#search(file, source, name, (found, at) => this.functionOf(found, at));
  }

  /** Calls `find` with the exported expression or declaration and its file, also behind re-exports. */
  #search<T>(
    file: string,
    source: string,
    name: string,
    find: (path: NodePath, file: string) => T | undefined,
  ): T | undefined {
    const at = this.#resolve(file, source);
    const module = at === undefined ? undefined : this.#modules.get(at);
    const key = `${at} ${name}`;
    if (at === undefined || !module || this.#searched.has(key)) return undefined;
    this.#searched.add(key);
    try {
      const { exports } = module;
      // `import x from` of a CommonJS file is all that it exports, and `require()` of an ES module has a `default`.
      const found = exports.get(name) ?? (name === 'default' ? exports.get(WHOLE) : undefined);
      if (found && 'node' in found) return find(found, at);
      if (found) return this.#search(at, found.source, found.name, find);
      for (const one of module.all) {
        const result = this.#search(at, one, name, find);
        if (result !== undefined) return result;
      }
      return undefined;
    } finally {
      this.#searched.delete(key);
    }
  }

  /** The module from which a file re-exports a name, if it is none of the application; for example `express`. */
  packageOf(file: string, source: string, name: string): { source: string; name: string } | undefined {
    const at = this.#resolve(file, source);
    const found = at === undefined ? undefined : this.#modules.get(at)?.exports.get(name);
    if (!found || 'node' in found || at === undefined) return undefined;
    return found.source.startsWith('.') ? this.packageOf(at, found.source, found.name) : found;
  }

  #resolve(file: string, source: string): string | undefined {
    if (!source.startsWith('.')) return undefined;
    const path = join(dirname(file), source);
    const paths = [path, path.replace(/\.([mc]?)js$/, '.$1ts'), join(path, 'index')];
    for (const one of paths)
      for (const extension of EXTENSIONS) if (this.#modules.has(one + extension)) return one + extension;
    return undefined;
  }
}

function noteWhole(right: NodePath, exports: Map<string, Exported>): void {
  exports.set(WHOLE, right);
  if (!right.isObjectExpression()) return;
  for (const property of right.get('properties')) {
    if (property.isObjectMethod()) exports.set(keyText(property.node.key), property);
    if (property.isObjectProperty())
      exports.set(keyText(property.node.key), property.get('value') as NodePath);
  }
}

function isNamed(node: t.Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

function isModuleExports(node: t.Node): boolean {
  return node.type === 'MemberExpression' && isNamed(node.object, 'module') && memberName(node) === 'exports';
}

function constructorOf(path: NodePath<t.Class>): NodePath<t.Function> | undefined {
  const members = path.get('body').get('body');
  return members.find(
    (one): one is NodePath<t.ClassMethod> => one.isClassMethod() && one.node.kind === 'constructor',
  );
}
