/** Replaces `express/lib/request` of Express 4 for libraries that require this file by its path. E4-M */
import { request } from '../../../request';

export = request;
