/**
 * Returns a copy of options that has no prototype, for the functions that this package adds to Express: a property that
 * other code has added to `Object.prototype` is no option. Options of Express are read as Express reads them.
 */
export function ownOptions<Options extends object>(options: Options): Options {
  return Object.assign(Object.create(null), options);
}
