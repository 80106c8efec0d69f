/** The libraries of the 3.x middleware: optional peer dependencies, loaded when a middleware is first created. §9.3 */
import { withCode } from '../../wire/error-code';

/** For a library whose earlier major versions have another interface. */
export interface Oldest {
  /** Lowest supported major version. */
  major: number;
  /** Requires its package.json. */
  manifest(): { version: string };
}

/**
 * @param middleware Name of the middleware, for the message.
 * @param load Contains the `require` call itself, so that bundlers see it.
 * @throws {Error} if the package is missing or too old; the message names the middleware, the package and the npm
 * command.
 */
export function optional<Library>(
  middleware: string,
  name: string,
  load: () => Library,
  oldest?: Oldest,
): Library {
  let library: Library;
  try {
    library = load();
  } catch (err) {
    if (!isMissing(err, name)) throw err;
    const wanted = `nozomi/3 ${middleware}() needs the package "${name}", which is not installed`;
    throw withCode(new Error(`${wanted}: npm install ${name}`, { cause: err }), 'NOZOMI_PACKAGE_MISSING');
  }
  if (oldest) checkVersion(middleware, name, oldest);
  return library;
}

/** Whether this package is missing, not one of its dependencies. */
function isMissing(err: unknown, name: string): boolean {
  const { code, message } = err as NodeJS.ErrnoException;
  return code === 'MODULE_NOT_FOUND' && String(message).startsWith(`Cannot find module '${name}'`);
}

function checkVersion(middleware: string, name: string, { major, manifest }: Oldest): void {
  const version = versionIn(manifest);
  if (version === undefined || Number.parseInt(version, 10) >= major) return;
  const message = `nozomi/3 ${middleware}() needs version ${major} or later of the package "${name}", and finds ${version}: npm install ${name}@${major}`;
  throw withCode(new Error(message), 'NOZOMI_PACKAGE_TOO_OLD');
}

/** Undefined if the package does not export its package.json: every version that is too old has no `exports`. */
function versionIn(manifest: () => { version: string }): string | undefined {
  try {
    return manifest().version;
  } catch {
    return undefined;
  }
}
