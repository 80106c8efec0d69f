// A short hash of the contents of a file. Unlike its time, it is the same in every checkout.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export function versionOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
}
