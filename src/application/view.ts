/** A view: finds the file and the engine for a name. §4.2 `app.render`, §2.2 `views`, `view engine` */
import { type Stats, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import createDebug from 'debug';
import { constructible } from '../internal/constructible';
import type { Engine, ViewCallback, View as ViewInstance } from '../types';

const debug = createDebug('express:view');

export interface ViewOptions {
  /** The extension of views whose name has none. The dot may be omitted. */
  defaultEngine?: string | undefined;
  /** The directory of the views, or several directories in search order. */
  root?: string | readonly string[] | undefined;
  /** The engines by extension, with the dot. `View` adds an engine that it loads. */
  engines: Record<string, Engine>;
}

export type View = ViewInstance;

export interface ViewConstructor {
  /** The call without `new`. Subclasses in applications call `View.call(this, name, options)`. */
  (this: View, name: string, options: ViewOptions): void;
  new (name: string, options: ViewOptions): View;
  prototype: View;
}

/**
 * Finds the file and the engine of a view. A function and not a class, because applications derive views with
 * `View.call(this, name, options)`.
 *
 * @throws {Error} if neither the name nor `defaultEngine` gives an extension, or if the engine cannot be loaded.
 */
export const View: ViewConstructor = constructible(function View(
  this: View,
  name: string,
  options: ViewOptions,
): void {
  const { defaultEngine, root, engines } = options || {};
  this.defaultEngine = defaultEngine;
  this.ext = extname(name);
  this.name = name;
  this.root = root;

  let fileName = name;
  if (!this.ext) {
    if (!defaultEngine) throw new Error('No default engine was specified and no extension was provided.');
    this.ext = withDot(defaultEngine);
    fileName += this.ext;
  }
  this.engine = engines[this.ext] ||= loadEngine(this.ext.slice(1));
  this.path = this.lookup(fileName);
});

Object.assign(View.prototype, {
  /**
   * Returns the path of the file in the first directory that contains it, otherwise undefined.
   *
   * @throws {TypeError} with the code `ERR_INVALID_ARG_TYPE` for a directory that is not a string.
   */
  lookup(name) {
    debug('lookup "%s"', name);
    for (const root of [this.root].flat()) {
      // `resolve` checks the directory, which the application may have set to any value.
      const location: string = Reflect.apply(resolve, undefined, [root, name]);
      const path = this.resolve(dirname(location), basename(location));
      if (path) return path;
    }
    return undefined;
  },

  /** Renders the view with its engine. Calls `callback` asynchronously, even if the engine is synchronous. */
  render(options, callback) {
    let isSync = true;
    debug('render "%s"', this.path);
    this.engine(
      // A cast: `app.render` only renders views with a path.
      this.path as string,
      options,
      function onRender(this: unknown, ...args: Parameters<ViewCallback>) {
        if (!isSync) return callback.apply(this, args);
        process.nextTick(() => callback.apply(this, args));
      },
    );
    isSync = false;
  },

  /** Returns the path `<dir>/<file>` or else `<dir>/<name>/index<ext>`, if the file exists; otherwise undefined. */
  resolve(dir, file) {
    const candidates = [join(dir, file), join(dir, basename(file, this.ext), `index${this.ext}`)];
    return candidates.find((path) => statOf(path)?.isFile());
  },
} satisfies Partial<View> & ThisType<View>);

function withDot(extension: string): string {
  return extension[0] === '.' ? extension : `.${extension}`;
}

/**
 * Loads the module `name` and returns its function `__express`.
 *
 * @throws {Error} if the module is missing or has no such function.
 */
function loadEngine(name: string): Engine {
  debug('require "%s"', name);
  const { __express: engine } = require(name);
  if (typeof engine !== 'function') throw new Error(`Module "${name}" does not provide a view engine.`);
  return engine;
}

function statOf(path: string): Stats | undefined {
  debug('stat "%s"', path);
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
