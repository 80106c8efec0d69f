/**
 * Defines the property `default` of an entry point, which import statements use after compilation to CommonJS. It is
 * not enumerable, because it refers to the entry point itself.
 */
export function defineDefault<Entry extends { default: Entry }>(
  entry: Omit<Entry, 'default'>,
): asserts entry is Entry {
  Object.defineProperty(entry, 'default', { value: entry, writable: true, configurable: true });
}
