/** `express/lib/response` of Express 4, for libraries that require it by path. E4-M */
import { response } from '../../../response';

export = response;
