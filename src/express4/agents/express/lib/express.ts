/**
 * Replaces `express/lib/express` of Express 4 for APM agents, and for libraries that require this file by its path.
 * E4-M
 *
 * APM agents recognize a file by its package, version and path. So this file loads files at the paths of Express 4.
 */
import '../../path-to-regexp/index';
import { express4 } from '../../../express4';
import './application';
import './middleware/init';
import './middleware/query';
import './request';
import './response';
import './router/index';
import './router/layer';
import './router/route';

export = express4;
