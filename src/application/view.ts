/** A view: finds the file and the engine for a name. §4.2 `app.render`, §2.2 `views`, `view engine` */
import { type Stats, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import createDebug from 'debug';
import type { Engine, ViewCallback, View as ViewInstance } from '../types';
import { constructible } from '../wire/constructible';

const debug = createDebug('express:view');

export interface ViewOptions {
  /** The extension for names without one; its dot may be omitted. */
  defaultEngine?: string | undefined;
  /** The directory of the views, or several in search order. */
  root?: string | readonly string[] | undefined;
  /** The engines by extension, with the dot. A view adds the engine that it loads. */
  engines: Record<string, Engine>;
}

export type View = ViewInstance;

export interface ViewConstructor {
  /** The call without `new`, which subclasses of applications use. */
  (this: View, name: string, options: ViewOptions): void;
  new (name: string, options: ViewOptions): View;
  prototype: View;
}

/**
 * A function, not a class, because applications derive views with `View.call(this, name, options)`.
 *
 * @throws {Error} if there is no extension, or no engine for it.
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
  /** The path of that file in the first directory that has it. */
  lookup(name) {
    debug('lookup "%s"', name);
    for (const root of [this.root ?? []].flat()) {
      const location = resolve(root, name);
      const path = this.resolve(dirname(location), basename(location));
      if (path) return path;
    }
    return undefined;
  },

  /** Renders the view with its engine. It calls `callback` asynchronously, even if the engine is synchronous. */
  render(options, callback) {
    let isSync = true;
    debug('render "%s"', this.path);
    this.engine(
      // `app.render` renders only views that were found.
      this.path as string,
      options,
      function onRender(this: unknown, ...args: Parameters<ViewCallback>) {
        if (!isSync) return callback.apply(this, args);
        process.nextTick(() => callback.apply(this, args));
      },
    );
    isSync = false;
  },

  /** The path `<dir>/<file>` or `<dir>/<name>/index<ext>`, whichever exists. */
  resolve(dir, file) {
    const candidates = [join(dir, file), join(dir, basename(file, this.ext), `index${this.ext}`)];
    return candidates.find((path) => statOf(path)?.isFile());
  },
} satisfies Partial<View> & ThisType<View>);

function withDot(extension: string): string {
  return extension[0] === '.' ? extension : `.${extension}`;
}

/** The function `__express` of the module with that name. */
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
