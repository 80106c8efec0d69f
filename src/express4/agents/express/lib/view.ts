/** Replaces `express/lib/view` of Express 4 for libraries that require this file by its path. E4-M */
import { View } from '../../../view';

export = View;
