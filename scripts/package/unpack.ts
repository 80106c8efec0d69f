/** Unpacks tarballs of npm, as npm does: without their first folder, `package/`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseTar } from 'nanotar';

/**
 * @param tarball The path of a `.tgz` file.
 * @param folder The folder for the files of the package; created if missing.
 */
export function unpack(tarball: string, folder: string): void {
  for (const { name, data } of parseTar(gunzipSync(readFileSync(tarball)))) {
    if (!data) continue;
    const file = join(folder, name.replace(/^[^/]*\//, ''));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, data);
  }
}
