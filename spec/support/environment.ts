import { config } from 'chai';

/** Sets the same environment for specs in every shell. `.mocharc.json` loads this file before the specs. */
for (const name of ['NODE_ENV', 'NO_COLOR', 'DEBUG', 'NO_DEPRECATION', 'TRACE_DEPRECATION'])
  delete process.env[name];
process.env.TZ = 'UTC';
// The value explains a rare failure.
config.truncateThreshold = 2000;
