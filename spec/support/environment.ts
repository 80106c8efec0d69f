/**
 * The environment of the specs, whatever the shell has set; `.mocharc.json` loads this before anything reads it. The
 * worlds of the parity harness have their own: `WORLD_ENV`.
 */
for (const name of ['NODE_ENV', 'NO_COLOR', 'DEBUG', 'NO_DEPRECATION', 'TRACE_DEPRECATION'])
  delete process.env[name];
process.env.TZ = 'UTC';
