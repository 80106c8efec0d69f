/** `express/lib/view` for applications that require it by path: the default of the setting `view`. §2.2 */
import { View } from '../application/view';

export = View;
