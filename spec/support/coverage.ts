/**
 * Under nyc, starts the processes of specs without instrumentation, which would slow down each of them by seconds. Code
 * that only such a process runs counts as uncovered. `.mocharc.json` loads this file before the specs.
 */
import { addListener } from 'process-on-spawn';

if (process.env.NYC_CONFIG !== undefined)
  addListener(({ env }) => {
    env.NODE_OPTIONS = env.NODE_OPTIONS?.replace(/--require \S*node-preload\.js/, '') ?? '';
  });
