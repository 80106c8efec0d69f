/** `path-to-regexp` of Express 4, for Datadog, which compiles the paths of layers with the copy loaded last. E4-M */
import pathToRegexp from 'path-to-regexp-0';

export = pathToRegexp;
