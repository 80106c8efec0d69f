/** `express/lib/view` of Express 4, for libraries that require it by path. E4-M */
import { View } from '../../../view';

export = View;
