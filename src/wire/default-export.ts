/**
 * Defines the property `default` of an entry point, for import statements that compilers translate to it. Not
 * enumerable, because it refers to the entry point itself.
 */
export function defineDefault<Entry extends { default: Entry }>(
  entry: Omit<Entry, 'default'>,
): asserts entry is Entry {
  Object.defineProperty(entry, 'default', { value: entry, writable: true, configurable: true });
}
