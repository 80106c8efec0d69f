/** Replaces `express/lib/view` of Express 3 for libraries that require this file by its path. */
import { View } from '../../../../application/view';

export = View;
