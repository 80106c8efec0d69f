/** `express/lib/request` of programs that reach inside: the request prototype. §4.4 */
import { request } from '../../../request/request';

export = request;
