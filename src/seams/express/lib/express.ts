/** `express/lib/express`: the function itself. §4.1 */
import { framework } from '../../../framework';
import './request';
import './response';

export = framework;
