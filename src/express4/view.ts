/** The views of Express 4: a synchronous engine calls back synchronously. E4-J */
import {
  View as CoreView,
  type ViewConstructor,
  type View as ViewInstance,
  type ViewOptions,
} from '../application/view';

/** A function, not a class: views of applications inherit by `View.call(this, name, options)`. */
export const View: ViewConstructor = function View(
  this: ViewInstance,
  name: string,
  options: ViewOptions,
): void {
  CoreView.call(this, name, options);
} as unknown as ViewConstructor;

Object.setPrototypeOf(View.prototype, CoreView.prototype);
Object.assign(View.prototype, {
  render(options, callback) {
    this.engine(this.path as string, options, callback);
  },
} satisfies Pick<ViewInstance, 'render'> & ThisType<ViewInstance>);
