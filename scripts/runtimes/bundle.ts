/**
 * Bundles the child process of an implementation (parity/implementations/child.ts) with all scenarios, for a runtime
 * that cannot load them from their sources.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { SCENARIOS, scenarioFiles } from '../../parity/scenario/catalogue';

const root = join(__dirname, '..', '..');

/** @returns The path of the bundle for Bun and Deno, which load packages from node_modules. */
export async function bundleChild(): Promise<string> {
  const outfile = join(root, 'report', 'runtimes', 'child.cjs');
  mkdirSync(dirname(outfile), { recursive: true });
  await build({
    entryPoints: [join(__dirname, 'server.ts')],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
    plugins: [replacements(root)],
  });
  return outfile;
}

/** The packages that scenarios get by name in workerd. */
// biome-ignore format: a table
const PACKAGES = [
  'nozomi/5', 'nozomi/4', 'nozomi/3', 'nozomi/logger', 'nozomi/fetch',
  'express', 'express4', 'express3', 'morgan',
];
/** The files that scenarios read in workerd. */
const FILES = ['files', 'express4', 'views'].flatMap((folder) =>
  readdirSync(join(root, 'fixtures', folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
);
/** Modules of a Worker that take the place of others. Only its programs are compiled from text. */
const MODULES: Readonly<Record<string, string>> = {
  empty: 'module.exports = {}',
  contents: `export const files = ${JSON.stringify(FILES)};
    export const packages = {${PACKAGES.map((name) => `'${name}': () => require('${name}'),`).join('')}};`,
  vm: `import { env } from 'cloudflare:workers';
    export default { runInThisContext: (source, { filename }) => env.UNSAFE.eval(source, filename) };`,
};
/** The folder of the project in workerd. */
export const WORKER_ROOT = '/tmp/nozomi';

/** @returns The path of the configuration of workerd, which runs one bundle and has the fixtures as its modules. */
export async function bundleWorker(): Promise<string> {
  const folder = join(root, 'report', 'runtimes', 'workerd');
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(__dirname, 'worker.mjs')],
    outfile: join(folder, 'worker.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2024',
    external: ['cloudflare:*', 'emitter'],
    logLevel: 'error',
    plugins: [forWorker(), replacements(WORKER_ROOT)],
  });
  const modules = FILES.map(
    (name) =>
      `(name = ${JSON.stringify(name)}, data = embed ${JSON.stringify(relative(folder, join(root, name)))})`,
  );
  const config = join(folder, 'config.capnp');
  writeFileSync(config, configuration(modules));
  return config;
}

function configuration(modules: readonly string[]): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [
    (name = "http", address = "127.0.0.1:0", http = (), service = "main"),
    (name = "control", address = "127.0.0.1:0", http = (), service = (name = "main", entrypoint = "control")),
  ],
);
const worker :Workerd.Worker = (
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    ${modules.join(',\n    ')},
  ],
  bindings = [
    (name = "CHILD", fromEnvironment = "CHILD"),
    (name = "PLAYER", durableObjectNamespace = "Player"),
    (name = "UNSAFE", unsafeEval = void),
  ],
  durableObjectNamespaces = [(className = "Player", uniqueKey = "player")],
  durableObjectStorage = (inMemory = void),
  compatibilityDate = "2026-11-01",
);
`;
}

/** Creates the esbuild plugin that adds the packages of scenarios, and omits modules that run a user's application. */
function forWorker(): Plugin {
  return {
    name: 'worker',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^generated:contents$/ }, () => ({ path: 'contents', namespace: 'worker' }));
      onResolve({ filter: /(application\/(load|redirect|usage)|\.\/realm|\.\/loading)$/ }, ({ importer }) =>
        importer.endsWith('child.ts') ? { path: 'empty', namespace: 'worker' } : undefined,
      );
      onResolve({ filter: /^node:vm$/ }, () => ({ path: 'vm', namespace: 'worker' }));
      onLoad({ filter: /.*/, namespace: 'worker' }, ({ path }) => ({
        contents: MODULES[path] ?? '',
        resolveDir: root,
      }));
    },
  };
}

/**
 * Creates the esbuild plugin that adapts the sources to a bundle: the scenarios are part of it, the servers are
 * those of Bun, Deno or workerd, `__dirname` and `__filename` are those of each source.
 *
 * @param folder The folder of the project at run time.
 */
function replacements(folder: string): Plugin {
  return {
    name: 'replacements',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /scenario\/catalogue$/ }, () => ({ path: 'catalogue', namespace: 'generated' }));
      onResolve({ filter: /transports\/serve(\.js)?$/ }, () => ({ path: join(__dirname, 'channel.ts') }));
      onLoad({ filter: /.*/, namespace: 'generated' }, () => ({
        contents: catalogue(),
        resolveDir: SCENARIOS,
      }));
      onLoad({ filter: /(parity|spec|examples)\/.*\.ts$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8')
          .replaceAll(/\b__dirname\b/g, JSON.stringify(join(folder, relative(root, dirname(path)))))
          .replaceAll(/\b__filename\b/g, JSON.stringify(join(folder, relative(root, path)))),
        loader: 'ts',
      }));
    },
  };
}

/** @returns A module with `findScenario`, which contains all scenarios. A file runs when its first scenario starts. */
function catalogue(): string {
  const rows = scenarioFiles(SCENARIOS).map(
    (file) => `  ${JSON.stringify(join(SCENARIOS, file))}: () => require('./${file}'),\n`,
  );
  return `const files = {\n${rows.join('')}};
exports.findScenario = (file, name) => files[file]().default.find((one) => one.name === name);
`;
}
