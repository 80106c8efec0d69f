/**
 * `express/lib/express` of Express 3, for libraries that require it by path, and for APM agents. Agents find files by
 * package, version and path, so each file is loaded as in Express 3.
 */
import { express3 } from '../../../express3';
import './application';
import './request';
import './response';
import './router/index';
import './router/route';

export = express3;
