/** Replaces `express/lib/router/route` of Express 3 for libraries that require this file by its path. */
import { Route } from '../../../../route';

export = Route;
