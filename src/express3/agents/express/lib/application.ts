/** Replaces `express/lib/application` of Express 3 for libraries that require this file by its path. */
import { application } from '../../../application';

export = application;
