/** `express/lib/middleware/query` of Express 4, for libraries that require it by path. E4-M */
import { query } from '../../../../query';

export = query;
