/** `express/lib/request`: APM agents wrap its getter of `req.query`. §4.4 */
import { request } from '../../../request/request';

export = request;
