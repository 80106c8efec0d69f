/** `express/lib/application` of Express 3, for libraries that require it by path. */
import { application } from '../../../application';

export = application;
