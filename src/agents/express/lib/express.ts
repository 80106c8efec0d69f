/** `express/lib/express`: where APM agents wrap `application` and `response`. §4.1 */
import { framework } from '../../../framework';
import './request';
import './response';

export = framework;
