/**
 * Sets the same environment for specs in every shell; `.mocharc.json` loads this file first. Child processes of the
 * parity harness use `DEFAULT_ENV` in parity/implementations/implementations.ts.
 */
for (const name of ['NODE_ENV', 'NO_COLOR', 'DEBUG', 'NO_DEPRECATION', 'TRACE_DEPRECATION'])
  delete process.env[name];
process.env.TZ = 'UTC';
