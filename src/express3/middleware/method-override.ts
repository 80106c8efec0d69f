/** `methodOverride`: replaces the method of a request with the package method-override. §9.3 F-9.3-126 · F-9.3-127 */
import deprecateFor from 'depd';
import { named } from '../../internal/named';
import { loadPackage } from './load-package';
import type { Express3Request, Middleware } from './types';

type Override = (
  getter: string | ((req: Express3Request) => unknown),
  options: { methods: null },
) => Middleware;

const deprecate = deprecateFor('connect');

/**
 * Creates middleware that sets `req.method` from the body or the header `X-HTTP-Method-Override`. The header takes
 * precedence.
 *
 * @param key The property of the body with the method. The middleware removes the property. Default `_method`.
 */
export function methodOverride(key = '_method'): Middleware {
  deprecate('methodOverride: use method-override npm module instead');
  const override = loadPackage<Override>(
    'methodOverride',
    'method-override',
    () => require('method-override'),
    {
      major: 2,
      manifest: () => require('method-override/package.json'),
    },
  );
  // With `methods: null`, every original method can be overridden, not only POST.
  const ofField = override('X-HTTP-Method-Override', { methods: null });
  const ofBody = override((req) => take(req.body, key), { methods: null });
  return named('methodOverride', (req, res, next) => {
    ofBody(req, res, (err) => (err ? next(err) : ofField(req, res, next)));
  });
}

function take(body: Express3Request['body'], key: string): unknown {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, key)) return undefined;
  const { [key]: method } = body;
  delete body[key];
  return method;
}
