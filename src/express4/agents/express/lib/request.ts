/** `express/lib/request` of Express 4, for libraries that require it by path. E4-M */
import { request } from '../../../request';

export = request;
