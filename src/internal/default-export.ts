/** Adds the member `default` to an entry point, for compiled `import` statements. Not enumerable, as it is circular. */
export function defineDefault<Entry extends { default: Entry }>(
  entry: Omit<Entry, 'default'>,
): asserts entry is Entry {
  Object.defineProperty(entry, 'default', { value: entry, writable: true, configurable: true });
}
