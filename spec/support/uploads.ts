/** The folder for the uploads of a spec. */
import { readdirSync } from 'node:fs';
import { filesOf } from './files';

/** A new folder, and a function that lists its contents. */
export function uploadFolder(): { uploadDir: string; names(): string[] } {
  const uploadDir = filesOf({});
  return { uploadDir, names: () => readdirSync(uploadDir) };
}
