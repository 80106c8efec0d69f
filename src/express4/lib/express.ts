/** `express/lib/express` of Express 4, for libraries that require it by path. E4-M */
import { express4 } from '../express4';

export = express4;
