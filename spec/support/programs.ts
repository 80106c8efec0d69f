/** Finds programs that `npm ci` does not install. Only specs of `npm test -- --all` need them. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The files of each program, and the package of Debian that has it. README.md lists the packages. */
const PROGRAMS = {
  caddy: { files: ['caddy'], package: 'caddy' },
  chromium: {
    files: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'],
    package: 'chromium',
  },
  curl: { files: ['curl'], package: 'curl' },
  haproxy: { files: ['haproxy'], package: 'haproxy' },
  h2load: { files: ['h2load'], package: 'nghttp2-client' },
  // Of postgresql-common: runs a command with a new cluster.
  pg_virtualenv: { files: ['pg_virtualenv'], package: 'postgresql' },
  nghttp: { files: ['nghttp'], package: 'nghttp2-client' },
  nginx: { files: ['nginx'], package: 'nginx-light' },
  ps: { files: ['ps'], package: 'procps' },
  'redis-server': { files: ['redis-server'], package: 'redis-server' },
} as const;

export const PACKAGES: readonly string[] = [
  ...new Set(Object.values(PROGRAMS).map((one) => one.package)),
].sort();

/**
 * @returns The environment variable with the name of the program in upper case, or the path of its first file in PATH.
 * @throws Error with the package to install, if there is none.
 */
export function programOf(name: keyof typeof PROGRAMS): string {
  const variable = name.toUpperCase().replace('-', '_');
  const { files, package: of } = PROGRAMS[name];
  const paths = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => files.map((file) => join(folder, file)));
  const found = process.env[variable] ?? paths.find((path) => existsSync(path));
  if (found) return found;
  throw new Error(`${name} is not on the PATH: apt-get install ${of}, or set ${variable} to its path`);
}
