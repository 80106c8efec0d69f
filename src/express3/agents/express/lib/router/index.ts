/** `express/lib/router` of Express 3, for libraries that require it by path. */
import { Router } from '../../../../router';

export = Router;
