/** Replaces `express/lib/middleware/query` of Express 4 for libraries that require this file by its path. E4-M */
import { query } from '../../../../query';

export = query;
