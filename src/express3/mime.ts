/**
 * Media types by extension, with those that a program defines: `mime` of the 3.x interface. §9.3 `res.type`
 */
import { types as known } from 'mime-types';

export interface Mime {
  /** The type by extension. */
  types: Record<string, string>;
  default_type: string;
  /** The type of an extension, file name or path; else the fallback, else `default_type`. */
  lookup(path: string, fallback?: string): string;
  /** The extension that is usual for a type. */
  extension(type: string): string | undefined;
  /** Add types, each with its extensions. For every application of the process that uses this interface. */
  define(types: Record<string, readonly string[]>): void;
  charsets: { lookup(type: string, fallback?: string): string | undefined };
}

export const mime: Mime = {
  types: Object.assign(Object.create(null), known),
  default_type: 'application/octet-stream',

  lookup(path, fallback) {
    const extension = path.slice(Math.max(...['.', '/', '\\'].map((mark) => path.lastIndexOf(mark))) + 1);
    return mime.types[extension.toLowerCase()] ?? fallback ?? mime.default_type;
  },

  extension(type) {
    const wanted = type.split(';', 1)[0]?.trim().toLowerCase();
    return Object.keys(mime.types).find((extension) => mime.types[extension] === wanted);
  },

  define(types) {
    for (const [type, extensions] of Object.entries(types)) {
      for (const extension of extensions) mime.types[extension] = type;
    }
  },

  charsets: {
    lookup: (type, fallback) => (type.startsWith('text/') ? 'UTF-8' : fallback),
  },
};
