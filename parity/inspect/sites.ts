/** Finds the line of the application that a call comes from. */
import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Site } from './model';

/** Folder of this package: its frames are skipped. */
export const OWN_ROOT: string = packageFolderOf(require.resolve('nozomi'));
/** Also the sources: Node.js names those where it finds a source map. */
const OWN_FOLDERS = ['dist', 'src', 'build', 'lib', join('parity', 'inspect')].map((name) =>
  join(OWN_ROOT, name, sep),
);
const FRAMES = 60;
// "    at use (/app/server.js:3:5)", "    at file:///app/server.mjs:3:5"
const FRAME = /^\s+at (?:.*? \()?(?:async )?(.+?):(\d+):\d+\)?$/;

/**
 * The call itself; where it is in a library, also the line of the application that led there.
 *
 * @param home Folder of the application's package.
 */
export function siteOfCall(home: string): Site | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const { stack } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const sites = String(stack)
    .split('\n')
    .flatMap((line): Site[] => {
      const [, place, number] = FRAME.exec(line) ?? [];
      if (place === undefined || place.startsWith('node:')) return [];
      const file = place.startsWith('file:') ? fileURLToPath(place) : place;
      return isOwn(file) ? [] : [{ file, line: Number(number) }];
    });
  const [site] = sites;
  const from = sites.find(({ file }) => isOfApplication(file, home));
  return site && from && from !== site && !isOfApplication(site.file, home) ? { ...site, from } : site;
}

export function isOwn(file: string): boolean {
  return OWN_FOLDERS.some((folder) => file.startsWith(folder));
}

/** Whether a file belongs to the package in `home`, and not to one that is installed below it. */
export function isOfApplication(file: string, home: string): boolean {
  return file.startsWith(join(home, sep)) && !file.slice(home.length).includes(`${sep}node_modules${sep}`);
}

/** The nearest folder with a package.json, from a file upwards; the file's own folder where there is none. */
export function packageFolderOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return dirname(file);
  }
}
