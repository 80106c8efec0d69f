// Run one of the benchmarks (build first): `npm run bench -- <name> [options]`.
import { join } from 'node:path';

const BENCHES: Readonly<Record<string, string>> = {
  routing: 'routing.ts',
  logger: 'logger.ts',
  http: 'http.ts',
  bodies: 'bodies.ts',
  files: 'files.ts',
};

const [name = '', ...options] = process.argv.slice(2);
const file = BENCHES[name];
if (!file) {
  console.error(`bench: a name is wanted (${Object.keys(BENCHES).join(', ')}), got "${name}"`);
  process.exit(1);
}
process.argv = [...process.argv.slice(0, 2), ...options];
require(join(__dirname, file));
