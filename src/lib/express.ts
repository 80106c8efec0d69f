/** `express/lib/express` for applications that require it by path: the exports of the package. §4.1 */
import framework from '../index';

export = framework;
