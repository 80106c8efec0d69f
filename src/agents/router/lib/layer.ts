/**
 * `router/lib/layer`: APM agents wrap its `handleRequest` and `handleError` to trace every handler. Sentry rewrites the
 * source of this file, and searches it for an assignment to `handleRequest`. §2.5
 */

import { isRewritten } from '../../../internal/rewritten';
import { Layer, PublicLayer } from '../../../routing/layer';
import type { AnyRequest, AnyResponse, Next } from '../../../types';

const { handleRequest: callHandler } = Layer.prototype;

Layer.prototype.handleRequest = function handleRequest(req: AnyRequest, res: AnyResponse, next: Next): void {
  callHandler.call(this, req, res, next);
};
if (!isRewritten(Layer.prototype.handleRequest)) Layer.prototype.handleRequest = callHandler;

export = PublicLayer;
