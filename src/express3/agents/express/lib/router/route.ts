/** `express/lib/router/route` of Express 3, for libraries that require it by path. */
import { Route } from '../../../../route';

export = Route;
