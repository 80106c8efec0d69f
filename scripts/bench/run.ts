// Measures the speed and memory of this build and of others. Run this script after a build. docs/performance.md
// describes the method and the results.
//
//   npm run bench                      all workloads over loopback: this build, bare node:http, Express and other
//                                      frameworks. Takes an hour and writes report/bench.json
//   npm run bench -- --quick           the same workloads in a few minutes, less precise
//   npm run bench -- js                CPU time per request without a network: this build, bare node:http and Express
//   npm run bench -- js --check        fails if a workload is more than 10 % slower than its committed ratio
//   npm run bench -- http2             HTTP/2, compared with bare node:http2, fastify and koa
//   npm run bench -- recorder          an application with nozomi-parity/recorder, compared with one without
//   npm run bench -- <name> --help     the options of one benchmark; the name of the first is http
import { join } from 'node:path';
import { headComment } from '../command';

const BENCHES: Readonly<Record<string, string>> = {
  http: 'http.ts',
  js: 'js.ts',
  http2: 'http2.ts',
  recorder: 'recorder.ts',
};

const args = process.argv.slice(2);
const hasName = args[0] !== undefined && !args[0].startsWith('-');
const name = hasName ? (args[0] as string) : 'http';
const file = BENCHES[name];
if (!hasName && args.includes('--help')) {
  console.log(headComment(__filename));
} else if (file === undefined) {
  console.error(`bench: expected one of ${Object.keys(BENCHES).join(', ')}, got "${name}"`);
  process.exitCode = 2;
} else {
  process.argv.splice(2, hasName ? 1 : 0);
  require(join(__dirname, file));
}
