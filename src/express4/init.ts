/** The middleware `expressInit`, which each application of Express 4 starts with. E4-A */
import { setPoweredBy } from '../application/handle';
import { setPrototypes } from '../application/prototypes';
import { named } from '../internal/named';
import { isEnabled } from '../internal/setting';
import type { Application, Handler } from './types';

/** Creates the second built-in layer: prototypes, `req.next`, `res.locals` and `X-Powered-By`. */
export function init(app: Application): Handler {
  return named<Handler>('expressInit', (req, res, next) => {
    if (isEnabled(app, 'x-powered-by')) setPoweredBy(app, req, res);
    req.res = res;
    res.req = req;
    req.next = next;
    // An Express 5 parent defines `req.query` on its request prototype, which `setPrototypes` replaces.
    const parsed = 'app' in req && req.query;
    setPrototypes(app, req, res);
    if (parsed && !req.query) req.query = parsed;
    res.locals = res.locals || Object.create(null);
    next();
  });
}
