/** Copies a text for a cache: V8 keeps the whole text of a `slice`. */
export function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
