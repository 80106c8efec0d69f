/** `express/lib/utils`, for applications that require it by path. §2.2 */
import mime from 'mime-types';
import { compileETag } from '../application/etag';
import { compileQueryParser } from '../application/query-parser';
import { compileTrust } from '../application/trust-proxy';
import { strongETag, weakETag } from '../http/entity-tag';
import { type NormalizedType, readParameters, setCharset } from '../http/media-type';
import { methods } from '../routing/route';

const utils: Record<string, unknown> = {
  methods,
  etag: strongETag,
  wetag: weakETag,
  normalizeType,
  normalizeTypes: (types: string[]) => types.map((type) => normalizeType(type)),
  compileETag,
  compileQueryParser,
  compileTrust,
  setCharset,
};

export = utils;

/** Parses a media type with its parameters. A file extension is converted to a media type. */
function normalizeType(type: string): NormalizedType {
  if (!type.includes('/')) return { value: mime.lookup(type) || 'application/octet-stream', params: {} };

  const [value = '', ...parameters] = type.split(';');
  return { value: value.trim(), ...readParameters(parameters, splitParameter) };
}

function splitParameter(parameter: string): string[] | undefined {
  const equals = parameter.indexOf('=');
  return equals === -1 ? undefined : [parameter.slice(0, equals).trim(), parameter.slice(equals + 1).trim()];
}
