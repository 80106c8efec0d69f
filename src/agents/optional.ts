// Matches the error for a missing adapter, but not for a missing module that the adapter requires. Node.js, Bun and
// bundlers quote the required path at the start of the message.
const NO_ADAPTER = /^Cannot find module '[./]+\/node_modules\//;

/** Returns the result of `load`, or undefined if the adapter is missing: a bundle may lack the file. */
export function optional<Exported>(load: () => Exported): Exported | undefined {
  try {
    return load();
  } catch (err) {
    const { code, message } = err as NodeJS.ErrnoException; // A cast: a value that is not an error has no `code`.
    if (code === 'MODULE_NOT_FOUND' && NO_ADAPTER.test(message)) return undefined;
    throw err;
  }
}
