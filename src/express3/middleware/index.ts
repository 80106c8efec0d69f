/**
 * Exports the middleware of Express 3. If a middleware needs a package, `optional.ts` loads it when the application
 * creates the middleware. §9.3
 */
export { basicAuth } from './basic-auth';
export { bodyParser } from './body-parser';
export { compress } from './compress';
export { cookieParser } from './cookie-parser';
export { cookieSession } from './cookie-session';
export { csrf } from './csrf';
export { directory } from './directory';
export { errorHandler } from './error-handler';
export { favicon } from './favicon';
export { json } from './json';
export { limit } from './limit';
export { logger } from './logger';
export { methodOverride } from './method-override';
export { multipart } from './multipart';
export { query } from './query';
export { responseTime } from './response-time';
export { session } from './session';
export { serveStatic as static } from './static';
export { staticCache } from './static-cache';
export { timeout } from './timeout';
export { urlencoded } from './urlencoded';
export { vhost } from './vhost';
