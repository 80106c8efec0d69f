/** Converts file extensions to media types for `req.accepts` and `req.is`, as mime-types 2.1 does. E4-E10, E4-E11 */
import { lookup } from 'mime-types';

/** Extensions whose type differs in mime-types 3, with their type in both mime-types 2.1 and mime 1.6. */
export const FORMER: Readonly<Record<string, string>> = {
  js: 'application/javascript',
  mjs: 'application/javascript',
  xfdf: 'application/vnd.adobe.xfdf',
  fdf: 'application/vnd.fdf',
  prc: 'application/x-mobipocket-ebook',
  sql: 'application/x-sql',
  aac: 'audio/x-aac',
  mts: 'model/vnd.mts',
  jpgm: 'video/jpm',
};
const changed = new Map(
  Object.entries({ ...FORMER, es: 'application/ecmascript', hsj2: 'image/hsj2', wav: 'audio/wave' }),
);

/**
 * Returns the media type of an extension or a file name. Returns false for a media type and for an unknown extension.
 */
export function lookupType(name: string): string | false {
  if (typeof name !== 'string' || name.includes('/')) return false;
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return changed.get(extension) ?? lookup(name);
}
