/**
 * Loads modules on first use. Loading libraries takes most of the start-up time, and an application uses only a few.
 */

/**
 * Returns a function that calls `load` once and then returns the cached result.
 *
 * @param load Calls `require` for one module. The module name must be a literal, which bundlers need.
 */
export function lazy<Module>(load: () => Module): () => Module {
  let loaded: Module | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
