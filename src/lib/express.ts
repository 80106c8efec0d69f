/** `express/lib/express` of programs that reach inside: the function itself. §4.1 */
import framework = require('../index');

export = framework;
