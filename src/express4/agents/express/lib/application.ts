/** `express/lib/application` of Express 4, for libraries that require it by path. E4-M */
import { application } from '../../../application';

export = application;
