/**
 * The entry point `nozomi/4`: the function `express4` as `module.exports`, with its types under the same name.
 */
import { express4 } from './express4';

export = express4;
