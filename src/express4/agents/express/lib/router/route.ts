/** Replaces `express/lib/router/route` of Express 4 for libraries that require this file by its path. E4-M */
import { Route } from '../../../../route';

export = Route;
