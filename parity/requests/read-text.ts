/** Reads text files of other programs, which may begin with a byte order mark. */
import { existsSync, readFileSync } from 'node:fs';

/**
 * Reads a file in UTF-8, or in UTF-16 with a byte order mark, as Windows programs write it. The mark is removed.
 *
 * @throws TypeError if the file is missing or is not such text.
 */
export function readText(file: string): string {
  if (!existsSync(file)) throw new TypeError(`no such file: ${file}`);
  return decodeText(readFileSync(file), file);
}

/** @param name The file, for the message of an error. */
export function decodeText(bytes: Buffer, name: string): string {
  const isBigEndian = bytes[0] === 0xfe && bytes[1] === 0xff;
  const encoding = isBigEndian ? 'utf-16be' : bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new TypeError(`${name}: expected text in UTF-8, or in UTF-16 with a byte order mark`);
  }
}
