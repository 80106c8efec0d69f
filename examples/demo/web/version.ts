// Returns a short hash of a file's contents. Unlike the time of the file, it is the same in every checkout.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export function versionOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
}
