/**
 * `express/lib/express` of Express 4, for libraries that require it by path, and for APM agents. Agents find files by
 * package, version and path, so each file is loaded as in Express 4. E4-M
 */
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
