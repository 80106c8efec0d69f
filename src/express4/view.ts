/** The class `View` of Express 4. `view.render` calls back synchronously if the engine does. E4-J */
import {
  View as CoreView,
  type ViewConstructor,
  type View as ViewInstance,
  type ViewOptions,
} from '../application/view';
import { constructible } from '../internal/constructible';

/** A function, not a class: applications derive their own views with `View.call(this, name, options)`. */
export const View: ViewConstructor = constructible(function View(
  this: ViewInstance,
  name: string,
  options: ViewOptions,
): void {
  CoreView.call(this, name, options);
});

Object.setPrototypeOf(View.prototype, CoreView.prototype);
Object.assign(View.prototype, {
  render(options, callback) {
    // `app.render` calls `render` only if the view's file exists, so `path` is a string.
    this.engine(this.path as string, options, callback);
  },
} satisfies Pick<ViewInstance, 'render'> & ThisType<ViewInstance>);
