/** Finds the line of the application from which a call comes. */
import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Site } from './model';

/** The folder of this package, whose stack frames are skipped. */
export const OWN_ROOT: string = packageFolderOf(require.resolve('nozomi'));
/** The folders of compiled code and of sources: Node.js shows source files if a source map exists. */
const OWN_FOLDERS = ['dist', 'src', 'build', 'lib', join('parity', 'inspect')].map((name) =>
  join(OWN_ROOT, name, sep),
);
const FRAMES = 60;
// "    at use (/app/server.js:3:5)", "    at file:///app/server.mjs:3:5"
const FRAME = /^\s+at (?:.*? \()?(?:async )?(.+?):(\d+):\d+\)?$/;

/**
 * The line of the current call. If that is in a library, also the line of the application that called the library.
 *
 * @param home The folder of the application's package.
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

/** Whether a file belongs to the package in `home`, and not to one installed below it. */
export function isOfApplication(file: string, home: string): boolean {
  return file.startsWith(join(home, sep)) && !file.slice(home.length).includes(`${sep}node_modules${sep}`);
}

/** The nearest folder with a package.json, from the file upwards; otherwise the folder of the file. */
export function packageFolderOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return dirname(file);
  }
}
