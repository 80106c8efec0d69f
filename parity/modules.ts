/** Intercepts how Node.js finds and loads the modules of `require`. No file on disk changes. */
import Module from 'node:module';

/** The functions of node:module that @types/node omits. `_cache` has the loaded modules by file. */
interface Loader {
  _load(request: string, parent: NodeModule | undefined, ...rest: unknown[]): unknown;
  _resolveFilename(request: string, parent: NodeModule | undefined, ...rest: unknown[]): string;
  readonly _cache: Readonly<Record<string, unknown>>;
}

export const loader = Module as unknown as Loader;

/** @param next Does what Node.js does. @param parent The module that calls `require`. */
type Hook<Result> = (next: () => Result, request: string, parent: NodeModule | undefined) => Result;

/** Decides which file `require` loads, from now on. @returns A function that ends this. */
export function interceptResolving(hook: Hook<string>): () => void {
  const { _resolveFilename } = loader;
  loader._resolveFilename = function (...args) {
    return hook(() => Reflect.apply(_resolveFilename, this, args), args[0], args[1]);
  };
  return () => Object.assign(loader, { _resolveFilename });
}

/** Decides what `require` returns, from now on. @returns A function that ends this. */
export function interceptLoading(hook: Hook<unknown>): () => void {
  const { _load } = loader;
  loader._load = function (...args) {
    return hook(() => Reflect.apply(_load, this, args), args[0], args[1]);
  };
  return () => Object.assign(loader, { _load });
}
