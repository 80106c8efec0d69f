/** `express/lib/response` for applications that require it by path: the response prototype. §4.5 */
import { response } from '../response/response';

export = response;
