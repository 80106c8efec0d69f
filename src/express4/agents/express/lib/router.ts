/** Replaces `express/lib/router` of Express 4 for libraries that require this file by its path. E4-M */
import Router from './router/index';

export = Router;
