/** Finds the source line of a call in the stack trace. */
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolderOf } from '../copy-folder';
import type { Site } from './model';

/** The folder of Nozomi. Stack frames of its code, and of this package, are skipped. */
export const OWN_ROOT: string = packageFolderOf(require.resolve('nozomi'));
/** The folders with such code. With source maps, Node.js shows sources instead of `dist` in stack traces. */
const OWN_FOLDERS = [
  ...['dist', 'src', 'build', 'lib'].map((name) => join(OWN_ROOT, name, sep)),
  join(__dirname, '..', sep),
];
/** How many lines a stack trace has. */
export const FRAMES = 60;
// A line of a stack trace: "    at use (/app/server.js:3:5)" or "    at file:///app/server.mjs:3:5".
const FRAME = /^\s+at (?:.*? \()?(?:async )?(.+?):(\d+):(\d+)\)?$/;

/**
 * Finds the line that called the framework; undefined if the stack has no line outside of Node.js and this package. If
 * the line is in a library, `from` is the line of the application that called the library.
 *
 * @param home The folder of the application's package.
 */
export function siteOfCall(home: string): Site | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const { stack } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  const sites = sitesIn(String(stack));
  const [site] = sites;
  const from = sites.find(({ file }) => isOfApplication(file, home));
  return site && from && from !== site && !isOfApplication(site.file, home) ? { ...site, from } : site;
}

/** Reads the lines of a stack trace that are outside of Node.js and this package. */
export function sitesIn(stack: string): Site[] {
  return stack.split('\n').flatMap((line): Site[] => {
    const [, place, number, column] = FRAME.exec(line) ?? [];
    if (place === undefined || place.startsWith('node:')) return [];
    const file = place.startsWith('file:') ? fileURLToPath(place) : place;
    return isOwn(file) ? [] : [{ file, line: Number(number), column: Number(column) }];
  });
}

export function isOwn(file: string): boolean {
  return OWN_FOLDERS.some((folder) => file.startsWith(folder));
}

/** Whether a file belongs to the package in `home`, and not to a dependency in its `node_modules`. */
export function isOfApplication(file: string, home: string): boolean {
  return file.startsWith(join(home, sep)) && !file.slice(home.length).includes(`${sep}node_modules${sep}`);
}
