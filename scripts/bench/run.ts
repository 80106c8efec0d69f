// Measures this build and others. Run after a build. Method and results: docs/performance.md.
//
//   npm run bench                      everything, beside bare node:http, Express and other frameworks, over loopback;
//                                      an hour. Writes report/bench.json
//   npm run bench -- --quick           the same in a few minutes, rough
//   npm run bench -- js                CPU per request without a network, beside bare node:http and Express
//   npm run bench -- js --check        the gate: nothing may fall more than 10 % behind what is committed
//   npm run bench -- routing           the router alone, beside Express's
//   npm run bench -- walk              an application alone, without HTTP, beside that of another checkout
//   npm run bench -- bodies            the parsers alone, beside body-parser's
//   npm run bench -- files             static files on node:http, beside serve-static
//   npm run bench -- logger            the logger alone, beside morgan
//   npm run bench -- http2             over HTTP/2, beside bare node:http2, fastify and koa
//   npm run bench -- recorder          nozomi/recorder, beside an application without it
//   npm run bench -- <name> --help     the options of one; the first is called http
import { join } from 'node:path';
import { headComment } from '../command';

const BENCHES: Readonly<Record<string, string>> = {
  http: 'http.ts',
  js: 'js.ts',
  routing: 'routing.ts',
  walk: 'walk.ts',
  bodies: 'bodies.ts',
  files: 'files.ts',
  logger: 'logger.ts',
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
