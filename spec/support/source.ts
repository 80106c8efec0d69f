/**
 * Lets specs test the sources: `require('nozomi/4')` loads src/express4/index.ts, without a build. The specs in SPECS.built
 * test the build in dist/, and with TESTED=build in the environment all do. `.mocharc.json` loads this file before the
 * specs, and so do the processes that play scenarios with the sources.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { BuildOptions } from 'esbuild';
import manifest from '../../package.json';
import { interceptLoading, interceptResolving, loader } from '../../parity/modules';
import { testsBuild } from '../../scripts/test/stages';

const ROOT = join(__dirname, '..', '..') + sep;
const SOURCES = join(ROOT, 'src') + sep;
/** The compiled sources, by a hash of the text. Each process needs a third of the time that tsx takes with its own cache. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'nozomi-sources');
const OPTIONS = {
  outdir: SOURCES,
  outbase: SOURCES,
  write: false,
  // 'browser', the default, replaces process.env.NODE_ENV. 'node' adds a line for ES modules that names `static`, which
  // strict code forbids.
  platform: 'neutral',
  format: 'cjs',
  target: 'node20',
  sourcemap: 'inline',
  sourcesContent: false,
  keepNames: true,
  tsconfigRaw: { compilerOptions: { alwaysStrict: true } },
} as const satisfies BuildOptions;
const OWN = /^nozomi(\/|$)/;
/** Which files load the sources by the name of the package. names.ts finds the entry points of a build. */
const LOADS_SOURCES = /^(?:spec|src|parity)\/(?!implementations\/names\.ts$)/;
const exported: Readonly<Record<string, string | { readonly default: string }>> = manifest.exports;

/** Whether all specs test the build. */
export const isBuildTested: boolean = process.env.TESTED === 'build';

if (!isBuildTested) {
  const load = require.extensions['.ts'];
  require.extensions['.ts'] = (module, file) => {
    if (!file.startsWith(SOURCES)) return load?.(module, file);
    (module as unknown as Compiler)._compile(compile(file), file);
  };
  interceptResolving((next, request, parent) => {
    const from = belowRoot(parent?.filename ?? '');
    if (testsBuild(from) || !LOADS_SOURCES.test(from)) return next();
    const source = OWN.test(request) ? sourceOf(request) : undefined;
    if (source !== undefined) return source;
    const file = next();
    // The tools in dist/parity do not replace a part of the sources.
    if (/^(spec|src)\//.test(from) && /^(dist\/(?!parity\/)|lib\/)/.test(belowRoot(file)))
      throw new Error(`${from} loads ${belowRoot(file)}: add it to SPECS.built in scripts/test/stages.ts`);
    return file;
  });
  // Node.js remembers what a name resolves to for all files of a folder, but specs of a folder may differ.
  interceptLoading((next, request, parent) =>
    OWN.test(request) && parent ? parent.require(loader._resolveFilename(request, parent)) : next(),
  );
}

/** The function of a module that @types/node omits. */
interface Compiler {
  _compile(code: string, file: string): void;
}

/** Compiles a source, and with it all others that are not in the cache: esbuild starts a process each time. */
function compile(file: string): string {
  const cached = cacheOf(file);
  if (!existsSync(cached)) {
    const { buildSync } = require('esbuild') as typeof import('esbuild');
    const missing = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.d)\.ts$/.test(name))
      .map((name) => join(SOURCES, name))
      .filter((one) => !existsSync(cacheOf(one)));
    const { outputFiles } = buildSync({ ...OPTIONS, entryPoints: missing });
    mkdirSync(CACHE, { recursive: true });
    for (const { path, text } of outputFiles) {
      const target = cacheOf(path.replace(/\.js$/, '.ts'));
      // Other processes compile the same sources at the same time.
      writeFileSync(`${target}.${process.pid}`, text);
      renameSync(`${target}.${process.pid}`, target);
    }
  }
  return readFileSync(cached, 'utf8');
}

function cacheOf(file: string): string {
  const hash = createHash('sha1').update(JSON.stringify(OPTIONS)).update(file).update(readFileSync(file));
  return join(CACHE, `${hash.digest('hex')}.js`);
}

/** @returns The path below the root of the repository, with slashes; empty for other files. */
function belowRoot(file: string): string {
  return file.startsWith(ROOT) ? file.slice(ROOT.length).replaceAll(sep, '/') : '';
}

/** @returns The source of an entry point; undefined for the files of Express that the build adds. */
function sourceOf(request: string): string | undefined {
  const entry = exported[request.replace(/^nozomi/, '.')];
  const file = typeof entry === 'string' ? entry : entry?.default;
  return file?.startsWith('./dist/')
    ? join(ROOT, file.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))
    : undefined;
}
