/**
 * Tables of media types by extension, as the package mime 1.x has them. Responses of the series use the types that an
 * application defines there. One table for each series and process.
 */
import { readFileSync } from 'node:fs';

export interface Mime {
  /** The type by extension. */
  types: Record<string, string>;
  /** The usual extension by type. */
  extensions: Record<string, string | undefined>;
  default_type: string;
  /** The type of an extension, file name or path; otherwise the fallback, otherwise `default_type`. */
  lookup(path: string, fallback?: string): string;
  /** The usual extension of a type. */
  extension(type: string): string | undefined;
  /** Adds types with their extensions, for every application of the process that uses this series. */
  define(types: Record<string, readonly string[]>): void;
  /** Adds the types of a file in Apache's format: a type and its extensions on each line. */
  load(file: string): void;
  charsets: { lookup(type: string, fallback?: string): string | undefined };
}

/**
 * @param types By extension.
 * @param extensions By type.
 * @param text Matches the types that get a charset.
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
      const start = Math.max(path.lastIndexOf('.'), path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
      return mime.types[path.slice(start).toLowerCase()] || fallback || mime.default_type;
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
