/**
 * Gives specs the same environment in every shell; `.mocharc.json` loads this file first. Child processes of the parity
 * harness get theirs from `DEFAULT_ENV` in parity/implementations/implementations.ts.
 */
for (const name of ['NODE_ENV', 'NO_COLOR', 'DEBUG', 'NO_DEPRECATION', 'TRACE_DEPRECATION'])
  delete process.env[name];
process.env.TZ = 'UTC';
