/** The folder into which a spec uploads. */
import { readdirSync } from 'node:fs';
import { filesOf } from './files';

/** A folder of its own, and what is in it. */
export function uploadFolder(): { uploadDir: string; names(): string[] } {
  const uploadDir = filesOf({});
  return { uploadDir, names: () => readdirSync(uploadDir) };
}
