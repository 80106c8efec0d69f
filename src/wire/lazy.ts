/**
 * Modules that are loaded when they are first needed: libraries are two thirds of the time that the framework takes to
 * load, and a program uses few of them.
 */

/** @param load A `require` of one module, spelled out for bundlers. */
export function lazy<Module>(load: () => Module): () => Module {
  let loaded: Module | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
