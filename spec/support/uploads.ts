/** Creates folders for uploads. */
import { readdirSync } from 'node:fs';
import { filesOf } from './files';

/** @returns The path of a new folder, and a function that lists its files. */
export function uploadFolder(): { uploadDir: string; names(): string[] } {
  const uploadDir = filesOf({});
  return { uploadDir, names: () => readdirSync(uploadDir) };
}
