/**
 * Runs modules in a vm context, as the test runner Jest does, and Vitest with `vmThreads`: they have their own `Object`,
 * `Error`, `Promise` and `RegExp`, while the objects of Node.js keep those of the main realm.
 */
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import vm from 'node:vm';

/** Compiles all CommonJS modules that are loaded from now on in one new vm context. */
export function enterRealm(): void {
  const context = createContext();
  const compile = vm.runInContext('(text) => JSON.parse(text)', context) as (text: string) => unknown;
  // A cast, because @types/node declares neither of these members.
  const loader = Module as unknown as {
    prototype: { _compile: (this: NodeModule, source: string, file: string) => unknown };
    _extensions: Record<string, (module: NodeModule, file: string) => void>;
  };
  loader.prototype._compile = function (source, file) {
    const wrapper = vm.compileFunction(
      source.replace(/^#!.*/, ''),
      ['exports', 'require', 'module', '__filename', '__dirname'],
      { filename: file, parsingContext: context, importModuleDynamically: FROM_MAIN },
    );
    const require = Object.assign((id: string) => this.require(id), createRequire(file));
    return Reflect.apply(wrapper, this.exports, [this.exports, require, this, file, this.path]);
  };
  loader._extensions['.json'] = (module, file) => {
    module.exports = compile(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  };
}

/** `import()` in the context uses the loader of Node.js. */
const FROM_MAIN = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;

/**
 * Creates a context with the globals of Node.js. Like Jest, it replaces those built-in objects that bytes need, and the
 * console, because that of V8 prints nothing.
 */
function createContext(): vm.Context {
  const context = vm.createContext();
  const global = vm.runInContext('globalThis', context) as typeof globalThis;
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(globalThis)))
    if (!Object.hasOwn(global, name)) Object.defineProperty(global, name, descriptor);
  Object.assign(global, { global, console, ArrayBuffer, Uint8Array });
  return context;
}
