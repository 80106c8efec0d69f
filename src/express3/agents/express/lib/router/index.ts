/** Replaces `express/lib/router` of Express 3 for libraries that require this file by its path. */
import { Router } from '../../../../router';

export = Router;
