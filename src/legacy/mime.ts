/** The media types of Express 3 and 4, as in mime 1.x: one table per version, which can be extended. E4-F21 */
import { readFileSync } from 'node:fs';
import type { Mime } from '../express4/interface';

export type { Mime };

/**
 * Creates a table of media types.
 *
 * @param types The media type of each extension.
 * @param extensions The default extension of each media type.
 * @param text Matches the types that get the charset UTF-8.
 */
export function createMime(
  types: Record<string, string>,
  extensions: Record<string, string | undefined>,
  text: RegExp,
): Mime {
  const mime: Mime = {
    types: Object.assign(Object.create(null), types),
    extensions: Object.assign(Object.create(null), extensions),
    default_type: 'application/octet-stream',

    lookup(path, fallback) {
      // As in mime 1.x, a line break in a name hides its extension.
      const extension = path.replace(/^.*[./\\]/, '');
      return mime.types[extension.toLowerCase()] || fallback || mime.default_type;
    },

    extension(type) {
      return mime.extensions[type.replace(/;.*/s, '').trim().toLowerCase()];
    },

    define(added) {
      for (const [type, names] of Object.entries(added)) {
        for (const name of names) mime.types[name] = type;
        mime.extensions[type] ||= names[0];
      }
    },

    load(file) {
      const lines = readFileSync(file, 'latin1')
        .split(/[\r\n]+/)
        .map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
      mime.define(Object.fromEntries(lines.map(([type, ...names]) => [type, names])));
    },

    charsets: {
      lookup: (type, fallback) => (text.test(type) ? 'UTF-8' : fallback),
    },
  };
  return mime;
}
