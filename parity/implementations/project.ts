/** The project with the scenarios. */
import { join } from 'node:path';

/** The root folder of the project with the scenarios. For the installed package it is the working directory. */
export const ROOT = isInstalled() ? process.cwd() : join(__dirname, '..', '..');

/** Whether this code runs from the compiled package, and not from the sources or from a bundle of nozomi-corpus. */
export function isInstalled(): boolean {
  return __filename.endsWith(join('implementations', 'project.js'));
}
