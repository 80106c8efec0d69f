/** `express/lib/request`: where APM agents wrap the getter of `req.query`. §4.4 */
import { request } from '../../../request/request';

export = request;
