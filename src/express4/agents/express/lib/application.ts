/** Replaces `express/lib/application` of Express 4 for libraries that require this file by its path. E4-M */
import { application } from '../../../application';

export = application;
