/**
 * `express/lib/response`: New Relic rewrites the source of this file and searches it for an assignment to `render`.
 * §4.5
 */
import { response } from '../../../response/response';
import type { Response } from '../../../types';

const renderView = response.render as (...args: unknown[]) => void;

response.render = function render(this: Response, view: string, options?: unknown, callback?: unknown): void {
  renderView.call(this, view, options, callback);
};

export = response;
