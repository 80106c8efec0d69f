/**
 * A view: a name made a file and an engine. §4.2 `app.render`, §2.2 `views`, `view engine`
 */
import { type Stats, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import createDebug from 'debug';
import type { Engine } from '../types';

const debug = createDebug('express:view');

export interface ViewOptions {
  /** The extension of names that have none, with or without its dot. */
  defaultEngine?: string | undefined;
  /** The directory, or the directories in the order they are searched. */
  root?: string | readonly string[] | undefined;
  /** Engines by extension with its dot; one that is loaded is added. */
  engines: Record<string, Engine>;
}

export class View {
  defaultEngine: string | undefined;
  ext: string;
  name: string;
  root: string | readonly string[] | undefined;
  engine: Engine;
  /** The file; undefined when there is none. */
  path: string | undefined;

  /** @throws {Error} when there is no extension, or no engine for it. */
  constructor(name: string, options: ViewOptions) {
    this.defaultEngine = options.defaultEngine;
    this.ext = extname(name);
    this.name = name;
    this.root = options.root;

    if (!this.ext && !this.defaultEngine) {
      throw new Error('No default engine was specified and no extension was provided.');
    }
    let fileName = name;
    if (!this.ext) {
      const extension = this.defaultEngine as string;
      this.ext = extension[0] === '.' ? extension : `.${extension}`;
      fileName += this.ext;
    }
    options.engines[this.ext] ||= loadEngine(this.ext.slice(1));
    this.engine = options.engines[this.ext] as Engine;
    this.path = this.lookup(fileName);
  }

  /** The file of that name in the first directory that has it. */
  lookup(name: string): string | undefined {
    debug('lookup "%s"', name);
    for (const root of [this.root].flat() as string[]) {
      const location = resolve(root, name);
      const path = this.resolve(dirname(location), basename(location));
      if (path) return path;
    }
    return undefined;
  }

  /** `<dir>/<file>`, or `<dir>/<name>/index<ext>`. */
  resolve(dir: string, file: string): string | undefined {
    const candidates = [join(dir, file), join(dir, basename(file, this.ext), `index${this.ext}`)];
    return candidates.find((path) => statOf(path)?.isFile());
  }

  /** Render with the engine; `callback` is called later, even by an engine that answers at once. */
  render(options: Record<string, unknown>, callback: (...args: unknown[]) => void): void {
    let isSync = true;
    debug('render "%s"', this.path);
    this.engine(this.path as string, options, function onRender(this: unknown, ...args: unknown[]) {
      if (!isSync) return callback.apply(this, args);
      process.nextTick(() => callback.apply(this, args));
    });
    isSync = false;
  }
}

/** The engine a module of that name exports as `__express`. */
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
