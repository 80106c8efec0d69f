/** `express/lib/express`: APM agents wrap its `application` and `response`. §4.1 */
import { framework } from '../../../framework';
import './request';
import './response';

export = framework;
