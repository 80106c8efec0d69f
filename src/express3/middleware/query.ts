/** `query`: sets `req.query`, unless it is set. §9.3 F-9.3-30 */
import qs from 'qs';
import { parseTarget } from '../../earlier/target';
import { named } from '../../wire/named';
import type { Express3Request, Middleware } from './types';

export function query(): Middleware {
  return named('query', (req: Express3Request, _res, next) => {
    // Without a prototype, so that a parameter cannot have the name of an inherited property.
    req.query ||= qs.parse(parseTarget(req)?.query ?? '');
    next();
  });
}
