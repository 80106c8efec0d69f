/** `app.render`: renders a view with the locals of the application, the response and the call. §4.2 */
import type { Application, RenderCallback, View, ViewCallback, ViewLocals } from '../types';
import type { ViewConstructor } from './view';

/**
 * Renders a view. The error for a missing file and the errors of the engine go to the callback, even if the engine
 * throws. The application caches the view if the option `cache` is true. Its default is the setting `view cache`.
 *
 * @throws {Error} if the view has no extension and there is no `view engine`, or if the engine cannot be loaded.
 */
export function render(
  this: Application,
  name: string,
  options?: ViewLocals | RenderCallback,
  callback?: RenderCallback,
): void {
  // A cast, because an engine may call back with only an error.
  const done = (typeof options === 'function' ? options : callback) as ViewCallback;
  const given: ViewLocals = (typeof options === 'function' ? undefined : options) || {};
  const locals: Record<string, unknown> = { ...this.locals, ...given._locals, ...given };
  locals.cache ??= this.enabled('view cache');

  let view = locals.cache ? this.cache[name] : undefined;
  if (!view) {
    view = lookUp(this, name);
    if (!view.path) return done(Object.assign(new Error(notFound(view)), { view }));
    if (locals.cache) this.cache[name] = view;
  }
  try {
    view.render(locals, done);
  } catch (err) {
    done(err);
  }
}

function lookUp(app: Application, name: string): View {
  const ViewClass: ViewConstructor = app.get('view');
  return new ViewClass(name, {
    defaultEngine: app.get('view engine'),
    root: app.get('views'),
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
