/** `express/lib/request` of Express 3, for libraries that require it by path. */
import { request } from '../../../request';

export = request;
