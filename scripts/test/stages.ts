/**
 * The stages of `npm test`. Each has steps, and each step has a command for every run that it belongs to:
 *
 * - `all`: everything that is tested. Every step has it.
 * - `ci`: what also fits in some minutes; absent if the step only runs with `--all`.
 * - `quick`: what `npm test` runs without options; absent if the step does not run then.
 *
 * spec/scripts/test-runs.spec.ts checks that each shorter run is a part of the longer one.
 */

export const RUNS = ['quick', 'ci', 'all'] as const;
export type Run = (typeof RUNS)[number];

export interface Step {
  readonly name: string;
  /** The commands by run. */
  readonly commands: Readonly<Partial<Record<Run, string>> & { all: string }>;
  /** Runs beside no other step, because it measures time, or writes the files of another step. */
  readonly isAlone?: boolean;
  /** Does not read the build, so it may run before `npm run build`. */
  readonly needsNoBuild?: boolean;
}

export interface Stage {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Spec files that do not run in every run, or do not test the sources. All others run in each run, and load src/. */
export const SPECS = {
  /** Only with `--all`: they need a program or a package that `npm ci` does not install, or take minutes. */
  all: [
    'spec/2-resources/2.6-openapi-tools.spec.ts',
    'spec/9-express4/packages.spec.ts',
    'spec/create/create-managers.spec.ts',
    'spec/docs/code-blocks.spec.ts',
    'spec/docs/proxies.spec.ts',
    'spec/docs/recipes.spec.ts',
    'spec/logger/no-code-generation.spec.ts',
    'spec/package/module-systems.spec.ts',
    'spec/package/one-copy.spec.ts',
    'spec/parity/ci.spec.ts',
    'spec/parity/corpus-package.spec.ts',
    'spec/parity/difference.spec.ts',
    'spec/parity/dev.spec.ts',
    'spec/parity/doctor.spec.ts',
    'spec/parity/eslint.spec.ts',
    'spec/parity/express4-application.spec.ts',
    'spec/parity/hermetic-databases.spec.ts',
    'spec/parity/interrupted.spec.ts',
    'spec/parity/migrate-page.spec.ts',
    'spec/parity/migrate.spec.ts',
    'spec/parity/network-panel.spec.ts',
    'spec/parity/page.spec.ts',
    'spec/parity/recorder-memory.spec.ts',
    'spec/parity/routes.spec.ts',
    'spec/parity/run.spec.ts',
    'spec/parity/scrub.spec.ts',
    'spec/parity/seeded-faults.spec.ts',
    'spec/parity/stripped-types.spec.ts',
    'spec/parity/time.spec.ts',
    'spec/scripts/bench-gate.spec.ts',
    'spec/security/fuzz.spec.ts',
    'spec/security/linear.spec.ts',
    'spec/security/pollution.spec.ts',
    'spec/transports/clients.spec.ts',
    'spec/transports/idle-connections.spec.ts',
    'spec/transports/unread-responses.spec.ts',
    'spec/transports/upgrade-load.spec.ts',
  ],
  /** With `--ci` and `--all`: each uses more than a second of CPU time. `SLOWEST=200 npx mocha …` prints them. */
  ci: [
    'spec/1-execution/order-exact.spec.ts',
    'spec/2-resources/2.10-hostile-bodies.spec.ts',
    'spec/2-resources/2.11-hostile-paths.spec.ts',
    'spec/2-resources/2.11-precompressed.spec.ts',
    'spec/2-resources/2.11-transfer.spec.ts',
    'spec/2-resources/2.6-odd-requests.spec.ts',
    'spec/2-resources/2.6-openapi.spec.ts',
    'spec/4-endpoints/4.1-hover.spec.ts',
    'spec/4-endpoints/4.2-patterns.spec.ts',
    'spec/4-endpoints/4.2-servers.spec.ts',
    'spec/4-endpoints/4.3-instrumentation.spec.ts',
    'spec/4-endpoints/4.3-rewritten-sources.spec.ts',
    'spec/4-endpoints/4.4-properties.spec.ts',
    'spec/4-endpoints/4.5-internal-calls.spec.ts',
    'spec/4-endpoints/4.5-properties.spec.ts',
    'spec/7-errors/7-file-faults.spec.ts',
    'spec/7-errors/7-hostile-errors.spec.ts',
    'spec/7-errors/7-not-found.spec.ts',
    'spec/9-express4/deprecated-types.spec.ts',
    'spec/9-express4/order.spec.ts',
    'spec/9-express4/patterns.spec.ts',
    'spec/connection/decision.spec.ts',
    'spec/connection/life.spec.ts',
    'spec/connection/read-request.spec.ts',
    'spec/create/create.spec.ts',
    'spec/demo/program.spec.ts',
    'spec/docs/examples.spec.ts',
    'spec/docs/typescript-page.spec.ts',
    'spec/internal/sliced-texts.spec.ts',
    'spec/logger/properties.spec.ts',
    'spec/parity/application.spec.ts',
    'spec/parity/carried-secrets.spec.ts',
    'spec/parity/conditions.spec.ts',
    'spec/parity/corpus.spec.ts',
    'spec/parity/entries.spec.ts',
    'spec/parity/hermetic.spec.ts',
    'spec/parity/login.spec.ts',
    'spec/parity/openapi.spec.ts',
    'spec/parity/options.spec.ts',
    'spec/parity/printable.spec.ts',
    'spec/parity/record.spec.ts',
    'spec/parity/recorded-kinds.spec.ts',
    'spec/parity/request-files.spec.ts',
    'spec/parity/secrets.spec.ts',
    'spec/parity/shadowing.spec.ts',
    'spec/parity/try.spec.ts',
    'spec/parity/untested.spec.ts',
    'spec/scripts/build.spec.ts',
    'spec/security/advisories/express3.spec.ts',
    'spec/security/corpus.spec.ts',
    'spec/security/departed.spec.ts',
    'spec/security/late-loads.spec.ts',
    'spec/security/replaced-surroundings.spec.ts',
    'spec/security/spellings.spec.ts',
    'spec/transports/aborts.spec.ts',
    'spec/transports/first-request.spec.ts',
    'spec/transports/floods.spec.ts',
    'spec/transports/graceful.spec.ts',
    'spec/transports/http2.spec.ts',
    'spec/transports/realm.spec.ts',
    'spec/transports/shutdown.spec.ts',
  ],
  /**
   * Specs, folders of specs, and a module of specs that test the build in dist/: they start processes that load the package by
   * its name, or check what only the package has, such as its files, types, exports and adapters for APM agents.
   */
  built: [
    'spec/0-document/0-framework.spec.ts',
    'spec/2-resources/2.11-precompressed.spec.ts',
    'spec/2-resources/2.6-odd-requests.spec.ts',
    'spec/2-resources/2.6-openapi-tools.spec.ts',
    'spec/4-endpoints/4.1-constructors.spec.ts',
    'spec/4-endpoints/4.1-hover.spec.ts',
    'spec/4-endpoints/4.2-debug.spec.ts',
    'spec/4-endpoints/4.3-instrumentation.spec.ts',
    'spec/4-endpoints/4.3-rewritten-sources.spec.ts',
    'spec/7-errors/7-hostile-errors.spec.ts',
    'spec/9-express3/middleware/9.3-beside-original.spec.ts',
    'spec/9-express3/middleware/9.3-optional.spec.ts',
    'spec/9-express3/side-by-side.spec.ts',
    'spec/9-express4/agents.spec.ts',
    'spec/9-express4/loading.spec.ts',
    'spec/9-express4/moves.spec.ts',
    'spec/connection/decision.spec.ts',
    'spec/create/',
    'spec/demo/program.spec.ts',
    'spec/docs/',
    'spec/internal/sliced-texts.spec.ts',
    'spec/logger/no-code-generation.spec.ts',
    'spec/logger/sinks.spec.ts',
    'spec/package.spec.ts',
    'spec/package/',
    'spec/parity/',
    'spec/scripts/',
    'spec/security/advisories/express3.spec.ts',
    'spec/security/departed.spec.ts',
    'spec/security/late-loads.spec.ts',
    'spec/security/pollution.spec.ts',
    'spec/security/replaced-surroundings.spec.ts',
    'spec/support/traced.ts',
    'spec/transports/clients.spec.ts',
    'spec/transports/floods.spec.ts',
    'spec/transports/foreign-messages.spec.ts',
    'spec/transports/graceful.spec.ts',
    'spec/transports/http2.spec.ts',
    'spec/transports/idle-connections.spec.ts',
    'spec/transports/node-members.spec.ts',
    'spec/transports/realm.spec.ts',
    'spec/transports/upgrade-load.spec.ts',
    'spec/transports/upgrade.spec.ts',
  ],
} as const;

/** @param file The path of a spec. */
export function testsBuild(file: string): boolean {
  return SPECS.built.some((one) => (one.endsWith('/') ? file.startsWith(one) : file === one));
}

/**
 * Specs that run apart from the others, and whose coverage no run measures: they start processes, which are slow with it,
 * read or generate code, or need a process in which no other spec has replaced methods of Node.js.
 */
const APART: readonly string[] = [
  'spec/parity/**/*.spec.ts',
  'spec/scenarios.spec.ts',
  'spec/logger/no-code-generation.spec.ts',
  'spec/1-execution/stack-frames.spec.ts',
  'spec/connection/*.spec.ts',
];

/** Two processes, because many specs mostly wait: for a program that they start, or for a timeout. */
const MOCHA = 'mocha --parallel --jobs 2';
const SPEC = '"spec/**/*.spec.ts"';
const SCENARIOS = 'spec/scenarios.spec.ts';

/** What `npm run` runs, without the time that npm takes to start. */
const run = (script: string, args: string): string => `node --require tsx/cjs ${script} ${args}`.trim();
const inGroup = (group: string, args: string): string => run('scripts/group.ts', `${group} ${args}`);
const parity = (args: string): string => run('parity/command/run.ts', args);
const quoted = (files: readonly string[]): string => files.map((file) => `"${file}"`).join(' ');
const ignored = (...files: readonly string[]): string => `--ignore "{${files.join(',')}}"`;

/** A step that is the same in each run. */
const always = (name: string, command: string): Step => ({
  name,
  commands: { quick: command, ci: command, all: command },
});

/** A step that `--all` runs without the options that limit it. */
const limited = (
  name: string,
  all: string,
  limits: Readonly<Partial<Record<'quick' | 'ci', string>>>,
): Step => ({
  name,
  commands: {
    ...Object.fromEntries(Object.entries(limits).map(([run, limit]) => [run, `${all} ${limit}`.trim()])),
    all,
  },
});

const only = (name: string, all: string): Step => ({ name, commands: { all } });

const withoutBuild = (step: Step): Step => ({ ...step, needsNoBuild: true });

const page = (name: string, command = name): Step => always(name, inGroup('generate', `${command} --check`));

const SURROUNDED = '--section 2-resources/2.7 --section logger/1-service';
const TOGETHER = `${MOCHA} ${SPEC} ${ignored(...APART, ...SPECS.all)}`;
/** The specs that test the sources, and the scenarios, once more with the build. */
const OF_BUILD = `TESTED=build ${MOCHA} ${SPEC} ${ignored(...SPECS.built.map((one) => one.replace(/\/$/, '/**/*.spec.ts')))}`;
const SEPARATE = `${MOCHA} ${quoted(APART)} ${ignored(SCENARIOS, ...SPECS.all)}`;
/** The workloads that show most of what a request costs: few routes, many routes, a body, and an application in a function. */
const TELLING = 'hello,routes-1000,post-1k,hello-wrapped';
const TRANSPORTS = parity('--transport h1,h2,h2c,fetch --server create,wrapped,https');

export const STAGES: readonly Stage[] = [
  // First, because the longest step should not be the last.
  {
    name: 'spec',
    steps: [
      {
        name: 'spec',
        commands: {
          quick: `${MOCHA} ${SPEC} ${ignored(SCENARIOS, ...SPECS.ci, ...SPECS.all)}`,
          ci: TOGETHER,
          // With coverage, which takes more time.
          all: `nyc ${TOGETHER}`,
        },
      },
      { name: 'spec-parity', commands: { ci: SEPARATE, all: SEPARATE } },
      only('spec-build', OF_BUILD),
      only('spec-long', `mocha ${quoted(SPECS.all)}`),
    ],
  },
  {
    name: 'types',
    steps: [
      // With TypeScript 7, as the build, which has compiled src/: `tsc` alone would be that of another version.
      always('typecheck', 'node node_modules/typescript/bin/tsc -p tsconfig.json --singleThreaded'),
      limited('types', inGroup('check', 'types'), { ci: '--sample' }),
      only('mutate-types', inGroup('check', 'mutate-types')),
      limited('types-budget', inGroup('bench', 'types --check'), { quick: '--newest', ci: '--newest' }),
    ],
  },
  {
    name: 'style',
    steps: [withoutBuild(always('lint', 'biome check')), withoutBuild(always('unused', 'knip'))],
  },
  {
    name: 'rules',
    steps: [
      withoutBuild(always('words', inGroup('check', 'words'))),
      withoutBuild(always('casts', inGroup('check', 'casts'))),
      always('request-path', inGroup('check', 'request-path')),
      withoutBuild(always('clauses', inGroup('check', 'clauses'))),
    ],
  },
  {
    name: 'pages',
    steps: [
      withoutBuild(page('map')),
      page('settings'),
      page('series'),
      withoutBuild(page('readme')),
      page('vex'),
      page('switching'),
      page('transports-page', 'transports'),
      page('compatibility'),
      always('published', inGroup('check', 'published')),
      limited('fixtures', inGroup('generate', 'fixtures'), { ci: '' }),
      only('ranges', inGroup('generate', 'ranges --check')),
      only('rfc', inGroup('generate', 'rfc --check')),
      only('nginx', inGroup('generate', 'nginx --check')),
    ],
  },
  { name: 'scenarios', steps: [withoutBuild(always('scenarios', `mocha ${SCENARIOS}`))] },
  {
    name: 'parity',
    steps: [
      limited('parity', parity(''), { quick: '--shard 1/12', ci: '--shard 1/4' }),
      limited('realm', parity('--realm vm'), { quick: '--shard 1/60', ci: '--shard 1/60' }),
      limited('settled', parity('--candidate settled'), { quick: '--shard 1/60', ci: '--shard 1/60' }),
      limited('transports', TRANSPORTS, { quick: '--shard 1/120', ci: '--shard 1/20' }),
      {
        name: 'circumstances',
        commands: {
          quick: parity(`--circumstance handmade,left-before,pipelined-2 ${SURROUNDED}`),
          ci: parity(`--circumstance all ${SURROUNDED}`),
          all: parity(`--circumstance all ${SURROUNDED}`),
        },
      },
      only('circumstances-endpoints', parity('--circumstance all --section 4-endpoints')),
      // Before `--all`, the step `scenarios` compares HTTP/1.1 with the recordings, and `transports` the others with HTTP/1.1.
      only('fixtures-transports', parity('--baseline corpus --transport h2,h2c,fetch')),
    ],
  },
  {
    name: 'faults',
    steps: [
      limited('mutate', inGroup('check', 'mutate'), { ci: '--sample' }),
      limited('planted', inGroup('check', 'planted'), { ci: '--sample' }),
      only('trust', inGroup('check', 'trust members --runs 2')),
    ],
  },
  {
    name: 'package',
    steps: [
      limited('package', inGroup('check', 'package'), { ci: '' }),
      only('package-registry', inGroup('check', 'package --registry')),
    ],
  },
  {
    name: 'random',
    steps: [
      only('pollution', 'POLLUTED=alone mocha spec/security/pollution.spec.ts'),
      only('routing', 'ROUTING_PAIRS=1000000 mocha spec/1-execution/order-exact.spec.ts'),
      only('fuzz', inGroup('check', 'fuzz --time 120')),
      limited('migrate', inGroup('check', 'migrate'), { ci: '--sample' }),
      only('migrate-paths', inGroup('check', 'migrate-paths --paths 10000 --seed 1')),
    ],
  },
  {
    name: 'packages',
    steps: [
      only('runners', inGroup('check', 'runners')),
      only('runtimes', inGroup('check', 'runtimes --on bun,deno,workerd --parts fetch,smoke --grep /')),
      only('ecosystem', inGroup('check', 'ecosystem')),
      only('agents-latest', inGroup('check', 'ecosystem --latest')),
      // Both may install the packages.
      { ...only('ecosystem-http2', inGroup('check', 'ecosystem --http2')), isAlone: true },
      only('applications', inGroup('check', 'applications')),
      only('migrate-packages', inGroup('check', 'migrate-packages')),
      only('query-writers', inGroup('check', 'query-writers')),
    ],
  },
  {
    name: 'operation',
    steps: [
      only('cluster', inGroup('check', 'cluster')),
      only('cluster-load', inGroup('check', 'cluster --requests 100000 node:cluster')),
      only('soak', inGroup('check', 'soak --minutes 10')),
    ],
  },
  { name: 'docs', steps: [only('docs', run('scripts/docs/run.ts', '--look'))] },
  {
    name: 'speed',
    steps: [
      {
        name: 'speed',
        commands: {
          ci: inGroup('bench', `js --check --workloads ${TELLING}`),
          all: inGroup('bench', 'js --check'),
        },
        isAlone: true,
      },
    ],
  },
];
