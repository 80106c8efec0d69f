/** Replaces `express/lib/response` of Express 4 for libraries that require this file by its path. E4-M */
import { response } from '../../../response';

export = response;
