/** Replaces `express/lib/utils` of Express 4 for libraries that require this file by its path. E4-M */
import deprecateFor from 'depd';
import { compileETag } from '../../../../application/etag';
import { compileTrust } from '../../../../application/trust-proxy';
import { strongETag, weakETag } from '../../../../http/entity-tag';
import { type NormalizedType, readParameters } from '../../../../http/media-type';
import { toDisposition } from '../../../../legacy/disposition';
import { setCharset } from '../../../../legacy/media-type';
import { mime } from '../../../mime';
import { compileQueryParser } from '../../../query';
import { express4 } from '../../../series';

const deprecate = deprecateFor('express');

/** Parses a media type with its parameters. A file extension is converted to its media type. */
function normalizeType(type: string): NormalizedType {
  if (!type.includes('/')) return { value: mime.lookup(type), params: {} };
  const [value = '', ...parameters] = type.split(/(?<! ) *; */);
  return { value, ...readParameters(parameters, (parameter) => parameter.split(/(?<! ) *= */)) };
}

const utils: Record<string, unknown> = {
  etag: strongETag,
  wetag: weakETag,
  isAbsolute: express4.response.isAbsolute,
  flatten: deprecate.function(
    (list: unknown[], depth = Number.POSITIVE_INFINITY) => list.flat(depth),
    'utils.flatten: use array-flatten npm module instead',
  ),
  normalizeType,
  normalizeTypes: (types: readonly string[]) => types.map(normalizeType),
  contentDisposition: deprecate.function(
    toDisposition,
    'utils.contentDisposition: use content-disposition npm module instead',
  ),
  compileETag,
  compileQueryParser,
  compileTrust,
  setCharset,
};

export = utils;
