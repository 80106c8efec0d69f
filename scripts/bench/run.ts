// Run one of the benchmarks (build first): `npm run bench -- [name] [options]`. Each tells of itself with --help.
import { join } from 'node:path';

const BENCHES: Readonly<Record<string, { file: string; about: string }>> = {
  http: {
    file: 'http.ts',
    about: 'beside bare node:http, Express and other peers, over loopback; the default',
  },
  js: { file: 'js.ts', about: 'beside bare node:http and Express without a network; --check is the gate' },
  routing: { file: 'routing.ts', about: "the router alone, beside Express's" },
  bodies: { file: 'bodies.ts', about: "the parsers alone, beside body-parser's" },
  files: { file: 'files.ts', about: 'static files on node:http, beside serve-static' },
  logger: { file: 'logger.ts', about: 'the logger alone, beside morgan' },
};

const args = process.argv.slice(2);
const hasName = args[0] !== undefined && !args[0].startsWith('-');
const name = hasName ? (args[0] as string) : 'http';
const bench = BENCHES[name];
if (bench === undefined) {
  console.error(`bench: a name is wanted (${Object.keys(BENCHES).join(', ')}), got ${name}`);
  process.exit(2);
}
if (!hasName && args.includes('--help')) {
  const lines = Object.entries(BENCHES).map(([one, { about }]) => `  ${one.padEnd(10)}${about}\n`);
  process.stdout.write(`npm run bench -- [name] [options]\n\n${lines.join('')}\n`);
}
process.argv = [...process.argv.slice(0, 2), ...args.slice(hasName ? 1 : 0)];
require(join(__dirname, bench.file));
