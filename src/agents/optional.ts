// The messages of Node.js, Bun and bundlers begin with the required path. This matches the path of an adapter, and
// not that of a module that the adapter requires.
const NO_ADAPTER = /^Cannot find module '[./]+\/node_modules\//;

/** The result of `load`; undefined if the adapter is missing. */
export function optional<Exported>(load: () => Exported): Exported | undefined {
  try {
    return load();
  } catch (err) {
    const { code, message } = err as NodeJS.ErrnoException; // Values other than errors have no `code`.
    if (code === 'MODULE_NOT_FOUND' && NO_ADAPTER.test(message)) return undefined;
    throw err;
  }
}
