/** `express/lib/response` of programs that reach inside: the response prototype. §4.5 */
import { response } from '../response/response';

export = response;
