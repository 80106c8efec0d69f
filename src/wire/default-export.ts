/**
 * Defines the property `default` of an entry point. `import` statements read it after their compilation to CommonJS.
 * The property is not enumerable, so that code that walks the exports does not find the entry point inside itself.
 */
export function defineDefault<Entry extends { default: Entry }>(
  entry: Omit<Entry, 'default'>,
): asserts entry is Entry {
  Object.defineProperty(entry, 'default', { value: entry, writable: true, configurable: true });
}
