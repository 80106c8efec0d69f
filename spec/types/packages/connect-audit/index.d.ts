// A package for Express, declared with types of `express` and `express-serve-static-core`.
import type { Application, ErrorRequestHandler, Request, RequestHandler } from 'express';
import type * as core from 'express-serve-static-core';

declare function audit(options?: { level?: string }): RequestHandler;
declare namespace audit {
  interface AuditedRequest<P extends core.Params = core.ParamsDictionary> extends Request<P> {
    auditor?: { name: string };
  }
  function errors(): ErrorRequestHandler;
  function attach(app: Application, ...handlers: core.RequestHandlerParams[]): core.Express;
}
declare global {
  namespace Express {
    interface Response {
      audited?: boolean;
    }
  }
}
export = audit;
