/**
 * Loads the packages of the Express 3 middleware when the application first creates a middleware that needs them. They are
 * dependencies of the application. As peer dependencies of this package, they would let pnpm, Yarn and Bun install a
 * copy of it for each set of their versions. §9.3
 */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { hasCode, withCode } from '../../internal/error-code';

/** The oldest supported version of a package whose interface has changed. */
export interface Oldest {
  /** The lowest supported major version. */
  major: number;
  /** Loads the package.json of the package. */
  manifest(): { version: string };
}

/**
 * Loads a package.
 *
 * @param middleware The name of the middleware, for the error message.
 * @param load A function that contains the `require` call, so that bundlers find it.
 * @throws {Error} if the package is missing or too old. The message contains the middleware, the package and the npm
 *   command.
 */
export function loadPackage<Library>(
  middleware: string,
  name: string,
  load: () => Library,
  oldest?: Oldest,
): Library {
  let library: Library;
  let manifest = oldest?.manifest;
  try {
    library = load();
  } catch (err) {
    if (!isMissing(err, name)) throw err;
    const requireFrom = requireOfApplication(name);
    if (!requireFrom) {
      const wanted = `nozomi/3 ${middleware}() needs the package "${name}", which is not installed`;
      throw withCode(new Error(`${wanted}: npm install ${name}`, { cause: err }), 'NOZOMI_PACKAGE_MISSING');
    }
    library = requireFrom(name);
    manifest = () => requireFrom(`${name}/package.json`);
  }
  if (oldest && manifest) checkVersion(middleware, name, { ...oldest, manifest });
  return library;
}

/**
 * Finds the package as the application does: pnpm, Yarn and Bun can hide the dependencies of an application from this
 * package.
 *
 * @returns The `require` of the main file or of the working directory; undefined if neither finds the package.
 */
function requireOfApplication(name: string): NodeJS.Require | undefined {
  const files = [process.argv[1], 'index.js'].filter((file) => file !== undefined);
  return files
    .map((file) => createRequire(resolve(file)))
    .find((requireFrom) => {
      try {
        return requireFrom.resolve(name);
      } catch {
        return false;
      }
    });
}

/** Whether the package itself is missing, rather than one of its dependencies. Yarn Plug'n'Play has its own message. */
function isMissing(err: unknown, name: string): boolean {
  if (!hasCode(err, 'MODULE_NOT_FOUND')) return false;
  const message = String(err.message);
  return (
    message.startsWith(`Cannot find module '${name}'`) ||
    / tried to access ([^ ,]+)/.exec(message)?.[1] === name
  );
}

function checkVersion(middleware: string, name: string, { major, manifest }: Oldest): void {
  const version = versionIn(manifest);
  if (version === undefined || Number.parseInt(version, 10) >= major) return;
  const message = `nozomi/3 ${middleware}() needs version ${major} or later of the package "${name}", and finds ${version}: npm install ${name}@${major}`;
  throw withCode(new Error(message), 'NOZOMI_PACKAGE_TOO_OLD');
}

/** Returns the version of a package; undefined if it does not export its package.json, as old ones do. */
function versionIn(manifest: () => { version: string }): string | undefined {
  try {
    return manifest().version;
  } catch {
    return undefined;
  }
}

/**
 * Adds members of a library to the function that creates its middleware. They are getters, so that the library is
 * loaded only when it is used.
 *
 * @param load Loads the library. Called when a member is read.
 */
export function withMembers<Create, Library, Name extends keyof Library>(
  create: Create,
  names: readonly Name[],
  load: () => Library,
): Create & Pick<Library, Name> {
  const members = names.map((name) => [name, { get: () => load()[name], enumerable: true }]);
  // TypeScript does not see the members that `defineProperties` adds.
  return Object.defineProperties(create, Object.fromEntries(members)) as Create & Pick<Library, Name>;
}
