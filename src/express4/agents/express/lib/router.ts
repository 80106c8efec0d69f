/** `express/lib/router` of Express 4, for libraries that require it by path. E4-M */
import Router from './router/index';

export = Router;
