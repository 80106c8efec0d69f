/**
 * Replaces `express/lib/response` of Express 4 for APM agents, and for libraries that require this file by its path.
 * New Relic rewrites the source of this file, and searches it for an assignment to `render`. E4-M
 */
import { response } from '../../../response';
import type { Response } from '../../../types';

const { render: renderView } = response;

response.render = function render(this: Response, view: string, options?: unknown, callback?: unknown): void {
  Reflect.apply(renderView, this, [view, options, callback]);
};

export = response;
