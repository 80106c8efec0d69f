/** Replaces `express/lib/middleware/init` of Express 4 for libraries that require this file by its path. E4-M */
import { createInit } from '../../../../application';

const middleware: { init: typeof createInit } = { init: createInit };

export = middleware;
