/**
 * Replaces `express/lib/express` of Express 3 for APM agents, and for libraries that require this file by its path.
 *
 * APM agents recognize a file by its package, version and path. So this file loads files at the paths of Express 3.
 */
import { express3 } from '../../../express3';
import './application';
import './request';
import './response';
import './router/index';
import './router/route';

export = express3;
