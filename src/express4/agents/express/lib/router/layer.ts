/**
 * Replaces `express/lib/router/layer` of Express 4 for APM agents, and for libraries that require this file by its path.
 * Sentry rewrites the source of this file, and searches it for an assignment to `handle_request`. E4-M
 */

import { isRewritten } from '../../../../../internal/rewritten';
import type { AnyRequest, AnyResponse, Next } from '../../../../../types';
import { Layer, PublicLayer } from '../../../../layer';

const { handle_request: callHandler } = Layer.prototype;

Layer.prototype.handle_request = function handle(req: AnyRequest, res: AnyResponse, next: Next): void {
  callHandler.call(this, req, res, next);
};
if (!isRewritten(Layer.prototype.handle_request)) Layer.prototype.handle_request = callHandler;

export = PublicLayer;
