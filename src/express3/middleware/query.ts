/** `query`: sets `req.query`, unless other middleware has set it. §9.3 F-9.3-30 */
import { named } from '../../internal/named';
import { parseQuery } from '../query';
import type { Express3Request, Middleware } from './types';

/** Creates the middleware that sets `req.query`. Every application already has it. */
export function query(): Middleware {
  return named('query', (req: Express3Request, _res, next) => {
    req.query ||= parseQuery(req);
    next();
  });
}
