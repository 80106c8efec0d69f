/**
 * The setting `etag`: a value → the function that makes ETags of bodies. §2.4
 */
import etag from 'etag';
import type { ETagGenerator } from '../types';

/**
 * @returns The generator; undefined for no ETags.
 * @throws {TypeError} for any value but a boolean, `'weak'`, `'strong'` or a function.
 */
export function compileETag(value: unknown): ETagGenerator | undefined {
  if (typeof value === 'function') return value as ETagGenerator;
  switch (value) {
    case true:
    case 'weak':
      return weakETag;
    case 'strong':
      return strongETag;
    case false:
      return undefined;
    default:
      throw new TypeError(`unknown value for etag function: ${value}`);
  }
}

export const weakETag: BodyETag = generatorOf({ weak: true });
export const strongETag: BodyETag = generatorOf({ weak: false });

type BodyETag = (body: Buffer | string, encoding?: BufferEncoding) => string;

// One name for both, under which settings are printed.
function generatorOf(options: etag.Options): BodyETag {
  return function generateETag(body, encoding) {
    return etag(Buffer.isBuffer(body) ? body : Buffer.from(body, encoding), options);
  };
}
