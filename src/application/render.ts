/**
 * `app.render`: a view and the locals of application, response and call, made HTML. §4.2
 */
import type { Application } from '../types';
import type { View, ViewOptions } from './view';

type Callback = (err: unknown, html?: string) => void;

/**
 * Render a view; errors, also those thrown by the engine, go to the callback. Where the local `cache` is set, or
 * the setting `view cache`, the view is looked up once.
 *
 * @throws {Error} when the view has no extension and there is no `view engine`, or the engine cannot be loaded.
 */
export function render(this: Application, name: string, options?: unknown, callback?: unknown): void {
  const done = (typeof options === 'function' ? options : callback) as Callback;
  const given = ((typeof options === 'function' ? undefined : options) || {}) as Record<string, unknown>;
  const locals: Record<string, unknown> = { ...this.locals, ...(given._locals as object), ...given };
  locals.cache ??= this.enabled('view cache');

  let view = (locals.cache && this.cache[name]) as View | undefined;
  if (!view) {
    view = lookUp(this, name);
    if (!view.path) return done(Object.assign(new Error(notFound(view)), { view }));
    if (locals.cache) this.cache[name] = view;
  }
  try {
    view.render(locals, done as () => void);
  } catch (err) {
    done(err);
  }
}

function lookUp(app: Application, name: string): View {
  const ViewClass = app.get('view') as new (name: string, options: ViewOptions) => View;
  return new ViewClass(name, {
    defaultEngine: app.get('view engine') as string | undefined,
    root: app.get('views') as string | string[],
    engines: app.engines,
  });
}

function notFound({ name, root }: View): string {
  const where =
    Array.isArray(root) && root.length > 1
      ? `directories "${root.slice(0, -1).join('", "')}" or "${root[root.length - 1]}"`
      : `directory "${root}"`;
  return `Failed to lookup view "${name}" in views ${where}`;
}
