/** `express/lib/router/route` of Express 4, for libraries that require it by path. E4-M */
import { Route } from '../../../../route';

export = Route;
