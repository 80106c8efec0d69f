/** `express/lib/view` of programs that reach inside: the default of the setting `view`. §2.2 */
import { View } from '../../../application/view';

export = View;
