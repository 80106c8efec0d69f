/**
 * Copies a text that a cache keeps. V8 stores the result of `slice`, `substring` and similar methods as a reference to
 * the whole text, which the cache would keep as well.
 */
export function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
