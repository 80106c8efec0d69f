/** `express/lib/view` of Express 3, for libraries that require it by path. */
import { View } from '../../../../application/view';

export = View;
