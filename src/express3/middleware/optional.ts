/** The libraries of the middlewares: optional peers, loaded when a middleware is first made. §9.3 */

/**
 * @param middleware Name under which programs know the middleware.
 * @param load Holds the `require` itself, so that bundlers see it.
 * @throws {Error} that names the middleware, the package and the command, where the package is not installed.
 */
export function optional<Library>(middleware: string, name: string, load: () => Library): Library {
  try {
    return load();
  } catch (err) {
    if (!isMissing(err, name)) throw err;
    const wanted = `nozomi/3 ${middleware}() needs the package "${name}", which is not installed`;
    throw Object.assign(new Error(`${wanted}: npm install ${name}`, { cause: err }), {
      code: 'MODULE_NOT_FOUND',
    });
  }
}

/** Not found is this package, and not one that it needs. */
function isMissing(err: unknown, name: string): boolean {
  const { code, message } = err as NodeJS.ErrnoException;
  return code === 'MODULE_NOT_FOUND' && String(message).startsWith(`Cannot find module '${name}'`);
}
