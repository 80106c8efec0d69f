/** `express/lib/utils` of programs that reach inside: methods, media types, and what settings compile to. §2.2 */
import { compileETag } from '../application/etag';
import { compileQueryParser } from '../application/query-parser';
import { compileTrust } from '../application/trust-proxy';
import { methods } from '../routing/route';
import { strongETag, weakETag } from '../wire/entity-tag';
import { normalizeType, setCharset } from './media-type';

const utils: {
  methods: readonly string[];
  etag: typeof strongETag;
  wetag: typeof weakETag;
  normalizeType: typeof normalizeType;
  normalizeTypes(types: string[]): Array<ReturnType<typeof normalizeType>>;
  compileETag: typeof compileETag;
  compileQueryParser: typeof compileQueryParser;
  compileTrust: typeof compileTrust;
  setCharset: typeof setCharset;
} = {
  methods,
  etag: strongETag,
  wetag: weakETag,
  normalizeType,
  normalizeTypes: (types) => types.map((type) => normalizeType(type)),
  compileETag,
  compileQueryParser,
  compileTrust,
  setCharset,
};

export = utils;
