/** `express/lib/request` for applications that require it by path: the request prototype. §4.4 */
import { request } from '../request/request';

export = request;
