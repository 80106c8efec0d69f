/** The libraries of the middlewares: optional peers, loaded when a middleware is first made. §9.3 */

/** For a library whose earlier versions are called in another way. */
export interface Oldest {
  /** Major version from which on the library can be used. */
  major: number;
  /** Holds the `require` of its package.json. */
  manifest(): { version: string };
}

/**
 * @param middleware Name under which applications know the middleware.
 * @param load Holds the `require` itself, so that bundlers see it.
 * @throws {Error} that names the middleware, the package and the command, where the package is not installed or too old.
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
    throw Object.assign(new Error(`${wanted}: npm install ${name}`, { cause: err }), {
      code: 'MODULE_NOT_FOUND',
    });
  }
  if (oldest) checkVersion(middleware, name, oldest);
  return library;
}

/** Not found is this package, and not one that it needs. */
function isMissing(err: unknown, name: string): boolean {
  const { code, message } = err as NodeJS.ErrnoException;
  return code === 'MODULE_NOT_FOUND' && String(message).startsWith(`Cannot find module '${name}'`);
}

function checkVersion(middleware: string, name: string, { major, manifest }: Oldest): void {
  const version = versionIn(manifest);
  if (version === undefined || Number.parseInt(version, 10) >= major) return;
  throw new Error(
    `nozomi/3 ${middleware}() needs version ${major} or later of the package "${name}", and finds ${version}: npm install ${name}@${major}`,
  );
}

/** Undefined where the package does not export its package.json: no version that is too old has `exports`. */
function versionIn(manifest: () => { version: string }): string | undefined {
  try {
    return manifest().version;
  } catch {
    return undefined;
  }
}
