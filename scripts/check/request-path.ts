// Lists the files and functions of src that run for one `GET /` to a handler with `res.send('hello')`, after a warm-up.
// V8's precise coverage reports them. Exit code 1 if there are more than MOST files. Needs a build.
//
//   npm run request-path
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { Session } from 'node:inspector/promises';
import type { AddressInfo } from 'node:net';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { runCommand } from '../command';

const MOST = 14;
const WARM_UP = 50;

const root = join(__dirname, '..', '..');
const dist = join(root, 'dist');

runCommand({ name: 'request-path', file: __filename, run: listFiles });

async function listFiles(): Promise<boolean> {
  const functions = await functionsOfOneRequest();
  const files = [...functions].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [file, names] of files) console.log(`${file}  ${[...names].join(' ')}`);
  console.log(`${files.length} files`);
  if (files.length <= MOST) return true;
  console.error(
    `a request runs through ${files.length} files, at most ${MOST} are allowed: merge some, or raise MOST in scripts/check/request-path.ts`,
  );
  return false;
}

/** @returns The names of the functions that ran, by file of src. */
async function functionsOfOneRequest(): Promise<Map<string, Set<string>>> {
  const framework: typeof import('../../src/framework').framework = require(join(dist, 'index.js'));
  const server = framework()
    .get('/', (_req, res) => void res.send('hello'))
    .listen(0);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const request = (): Promise<void> => get((server.address() as AddressInfo).port, agent);
    for (let i = 0; i < WARM_UP; i++) await request();

    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await request();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    session.disconnect();

    const found = new Map<string, Set<string>>();
    for (const script of result) {
      if (!script.url.startsWith('file:') || !fileURLToPath(script.url).startsWith(dist)) continue;
      const sourceOf = readSourceMap(fileURLToPath(script.url));
      for (const { functionName, ranges } of script.functions) {
        const [range] = ranges;
        const source = range?.count ? sourceOf(range.startOffset) : undefined;
        if (source) found.set(source, (found.get(source) ?? new Set()).add(functionName || '(anonymous)'));
      }
    }
    return found;
  } finally {
    agent.destroy();
    server.close();
  }
}

function get(port: number, agent: http.Agent): Promise<void> {
  return new Promise((done, fail) => {
    http.get({ port, agent }, (res) => void res.resume().on('end', done)).on('error', fail);
  });
}

/**
 * Reads the source map of a file of dist.
 *
 * @returns A function from an offset to the path of the source from the root; undefined for code that esbuild added.
 */
function readSourceMap(file: string): (offset: number) => string | undefined {
  const text = readFileSync(file, 'utf8');
  const map = new TraceMap(readFileSync(`${file}.map`, 'utf8'));
  return (offset) => {
    const before = text.slice(0, offset);
    const line = before.split('\n').length;
    const { source } = originalPositionFor(map, { line, column: offset - before.lastIndexOf('\n') - 1 });
    return source === null ? undefined : relative(root, resolve(dirname(file), source)).replaceAll('\\', '/');
  };
}
