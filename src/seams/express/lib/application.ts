/** `express/lib/application` of programs that reach inside: what every application is given a copy of. §4.1 */
import { application } from '../../../application/application';

export = application;
