/** `favicon`: sends the icon of a site with the package serve-favicon. §9.3 */
import { loadPackage } from './load-package';
import type { Middleware } from './types';

export interface FaviconOptions {
  /** How long clients may cache it: milliseconds, or a text such as `'1 day'`. Default and maximum: one year. */
  maxAge?: number | string | undefined;
}

type ServeFavicon = (icon: string | Buffer, options?: FaviconOptions) => Middleware;

/**
 * Creates middleware that responds to `/favicon.ico`.
 *
 * @param path The path of the icon, or its bytes. Default: one transparent pixel.
 */
export function favicon(path?: string | Buffer, options?: FaviconOptions): Middleware {
  const serveFavicon = loadPackage<ServeFavicon>('favicon', 'serve-favicon', () => require('serve-favicon'));
  return serveFavicon(path || transparentDot(), options);
}

/** Creates an ICO file with one transparent pixel, 32 bits deep. All numbers in it are little-endian. */
function transparentDot(): Buffer {
  const [header, entry, bitmap, pixel, mask] = [6, 16, 40, 4, 4];
  const icon = Buffer.alloc(header + entry + bitmap + pixel + mask);
  // ICONDIR: reserved, type 1 (icon), one image.
  icon.writeUInt16LE(1, 2);
  icon.writeUInt16LE(1, 4);
  // ICONDIRENTRY: width, height, colours, reserved, planes, bits, length, offset.
  icon.set([1, 1, 0, 0, 1, 0, 32, 0, bitmap + pixel + mask], header);
  icon.writeUInt32LE(header + entry, header + 12);
  // BITMAPINFOHEADER: length, width, height of image and mask together, planes, bits.
  icon.set([bitmap, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 32], header + entry);
  // All bytes of the pixel and the mask stay 0, which means transparent.
  return icon;
}
