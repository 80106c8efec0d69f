/** `express/lib/express` for applications that require it by path: what the package itself exports. §4.1 */
import framework from '../index';

export = framework;
