// The message of Node.js, Bun and bundlers begins with the path as it was required: that of an adapter, and of no
// module that an adapter requires.
const NO_ADAPTER = /^Cannot find module '[./]+\/node_modules\//;

/** What `load` returns; undefined when the adapter is missing. */
export function optional<Exported>(load: () => Exported): Exported | undefined {
  try {
    return load();
  } catch (err) {
    const { code, message } = err as NodeJS.ErrnoException;
    if (code === 'MODULE_NOT_FOUND' && NO_ADAPTER.test(message)) return undefined;
    throw err;
  }
}
