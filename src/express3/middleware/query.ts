/** `query`: sets `req.query`, unless other middleware has set it. §9.3 F-9.3-30 */
import qs from 'qs';
import { parseTarget } from '../../earlier/target';
import { named } from '../../wire/named';
import type { Express3Request, Middleware } from './types';

export function query(): Middleware {
  return named('query', (req: Express3Request, _res, next) => {
    // qs drops parameters with the name of an `Object.prototype` method, so `req.query` keeps its inherited methods.
    req.query ||= qs.parse(parseTarget(req)?.query ?? '');
    next();
  });
}
