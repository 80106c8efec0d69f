/** `express/lib/response` of Express 3, for libraries that require it by path. */
import { response } from '../../../response';

export = response;
