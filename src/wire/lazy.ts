/** Loads modules on first use: libraries are most of the framework's load time, and an application uses few of them. */

/** @param load A `require` of one module, literal for bundlers. */
export function lazy<Module>(load: () => Module): () => Module {
  let loaded: Module | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
