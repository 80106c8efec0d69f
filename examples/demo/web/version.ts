// A short name for what is in a file. Unlike its time, the same in every checkout.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export function versionOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
}
