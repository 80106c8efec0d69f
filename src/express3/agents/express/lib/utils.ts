/** `express/lib/utils` of Express 3, for libraries that require it by path: the functions that they use. */
import { compileTrust } from '../../../../application/trust-proxy';
import { compileETag } from '../../../entity-tag';
import { compilePath, type Key } from '../../../path';
import type { Path } from '../../../types';

const utils: Record<string, unknown> = {
  compileETag,
  compileTrust,
  flatten: (list: readonly unknown[]) => list.flat(Number.POSITIVE_INFINITY),
  pathRegexp: (path: Path, keys: Key[], sensitive?: boolean, strict?: boolean) =>
    compilePath(path, keys, { sensitive, strict }),
};

export = utils;
