/** `path-to-regexp` of Express 4, for Datadog, which compiles the paths of layers with the copy loaded last. E4-M */
import { compilePath, type Key, type PathOptions } from '../../pattern';

function pathToRegexp(path: unknown, keys: Key[] = [], options: PathOptions = {}): RegExp {
  return compilePath(path, keys, options);
}

export = pathToRegexp;
