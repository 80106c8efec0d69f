/**
 * Under nyc, starts the processes of specs without instrumentation, which would slow down each of them by seconds. Code
 * that only such a process runs counts as uncovered. `.mocharc.json` loads this file before the specs.
 */
import { addListener } from 'process-on-spawn';

/** The program of the processes in which `mocha --parallel` runs specs. */
const MOCHA_WORKER = /mocha[\\/]lib[\\/]nodejs[\\/]worker\.js$/;

if (process.env.NYC_CONFIG !== undefined)
  addListener(({ args, env }) => {
    if (args.some((arg) => MOCHA_WORKER.test(arg))) return;
    env.NODE_OPTIONS = env.NODE_OPTIONS?.replace(/--require \S*node-preload\.js/, '') ?? '';
  });
