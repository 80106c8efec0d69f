/** The middleware `expressInit`, which each application of Express 4 starts with. E4-A, E4-E14 */
import { setPoweredBy } from '../application/handle';
import { setPrototypes } from '../application/prototypes';
import { isEnabled } from '../internal/setting';
import type { Step } from '../routing/dialect';
import type { AnyRequest } from '../types';
import { toHandler } from './built-in';
import { querySetter } from './query';
import type { Application } from './types';

/** Creates the middleware, for `require('express/lib/middleware/init')`. @public */
export function init(app: Application): Step {
  return toHandler('expressInit', preparer(app));
}

/** Returns a function that sets prototypes, `req.next`, `res.locals` and `X-Powered-By`. */
export function preparer(app: Application): Step {
  return (req: AnyRequest & { query?: unknown }, res, next) => {
    if (isEnabled(app, 'x-powered-by')) setPoweredBy(app, req, res);
    req.res = res;
    res.req = req;
    req.next = next;
    // An Express 5 parent defines `req.query` on its request prototype, which `setPrototypes` replaces.
    const isParsed = 'app' in req && Boolean(req.query);
    setPrototypes(app, req, res);
    if (isParsed && !req.query) querySetter(app.get('query parser fn'))(req);
    res.locals = res.locals || Object.create(null);
  };
}
