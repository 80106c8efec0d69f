/** Replaces `express/lib/request` of Express 3 for libraries that require this file by its path. */
import { request } from '../../../request';

export = request;
