/** `express/lib/response`: New Relic searches the source of this file for an assignment to `render`. §4.5 */
import { response } from '../../../response/response';
import type { Response } from '../../../types';

const { render: renderView } = response;

response.render = function render(this: Response, view: string, options?: unknown, callback?: unknown): void {
  Reflect.apply(renderView, this, [view, options, callback]);
};

export = response;
