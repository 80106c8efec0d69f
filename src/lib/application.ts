/**
 * `express/lib/application` for applications that require it by path: the members that every application gets as a
 * copy. §4.1
 */
import { application } from '../application/application';

export = application;
