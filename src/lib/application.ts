/** `express/lib/application` for applications that require it by path: what every application is given a copy of. §4.1 */
import { application } from '../application/application';

export = application;
