/** Replaces `express/lib/response` of Express 3 for libraries that require this file by its path. */
import { response } from '../../../response';

export = response;
