/** A view: finds the file and engine of a name. §4.2 `app.render`, §2.2 `views`, `view engine` */
import { type Stats, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import createDebug from 'debug';
import type { Engine, ViewCallback, View as ViewInstance } from '../types';

const debug = createDebug('express:view');

export interface ViewOptions {
  /** The extension of names without one, with or without its dot. */
  defaultEngine?: string | undefined;
  /** The directory, or the directories in search order. */
  root?: string | readonly string[] | undefined;
  /** Engines by extension with its dot; a loaded engine is added. */
  engines: Record<string, Engine>;
}

export type View = ViewInstance;

export interface ViewConstructor {
  /** For views of applications that inherit. */
  (this: View, name: string, options: ViewOptions): void;
  new (name: string, options: ViewOptions): View;
  prototype: View;
}

/**
 * A function, not a class: views of applications inherit by `View.call(this, name, options)`.
 *
 * @throws {Error} if there is no extension, or no engine for it.
 */
export const View: ViewConstructor = function View(this: View, name: string, options: ViewOptions): void {
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
} as unknown as ViewConstructor;

Object.assign(View.prototype, {
  /** The file of that name in the first directory that has it. */
  lookup(name) {
    debug('lookup "%s"', name);
    for (const root of [this.root ?? []].flat()) {
      const location = resolve(root, name);
      const path = this.resolve(dirname(location), basename(location));
      if (path) return path;
    }
    return undefined;
  },

  /** Renders with the engine; calls `callback` asynchronously, even for a synchronous engine. */
  render(options, callback) {
    let isSync = true;
    debug('render "%s"', this.path);
    this.engine(
      this.path as string,
      options,
      function onRender(this: unknown, ...args: Parameters<ViewCallback>) {
        if (!isSync) return callback.apply(this, args);
        process.nextTick(() => callback.apply(this, args));
      },
    );
    isSync = false;
  },

  /** `<dir>/<file>`, or `<dir>/<name>/index<ext>`. */
  resolve(dir, file) {
    const candidates = [join(dir, file), join(dir, basename(file, this.ext), `index${this.ext}`)];
    return candidates.find((path) => statOf(path)?.isFile());
  },
} satisfies Partial<View> & ThisType<View>);

function withDot(extension: string): string {
  return extension[0] === '.' ? extension : `.${extension}`;
}

/** The `__express` export of a module with that name. */
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
