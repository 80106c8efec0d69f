/** The upload folder of a spec. */
import { readdirSync } from 'node:fs';
import { filesOf } from './files';

/** A new folder, and its contents. */
export function uploadFolder(): { uploadDir: string; names(): string[] } {
  const uploadDir = filesOf({});
  return { uploadDir, names: () => readdirSync(uploadDir) };
}
