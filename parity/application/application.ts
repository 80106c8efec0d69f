/** Compares how an application responds to the same requests with its own Express and with Nozomi. */
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { decodeExchange } from '../client/decode';
import { playSteps } from '../client/exchange';
import { bytesOf, onOneConnection, type Step } from '../client/request';
import { copyInto } from '../copy-folder';
import type { Divergence } from '../divergences/divergence';
import {
  BUILD,
  describeModules,
  EXPRESS3_BUILD,
  EXPRESS4_BUILD,
  ImplementationProcess,
  manifestOf,
  REFERENCE,
  resolveModule,
} from '../implementations/implementations';
import { majorOf } from '../implementations/names';
import { NOTHING } from '../implementations/observe';
import { ImplementationLost } from '../implementations/process';
import { ROOT } from '../implementations/project';
import type { Implementation, Observation, ServerPlace } from '../implementations/protocol';
import type { Replacement } from '../implementations/redirect';
import { loaderFor } from '../implementations/typescript';
import type { GapKind } from '../judge/gap-kinds';
import { findGaps, isAnswered } from '../judge/gaps';
import { judge, type Verdict } from '../judge/judge';
import { markFrames, normalise, withoutDerived } from '../judge/normalise';
import { deviationFrom } from '../judge/recorded';
import { type Recording, type Report, reportOn, type Timing, unknownScenarios } from '../judge/report';
import { judgeRuns } from '../judge/runs';
import { removeFolder, temporaryFolder } from '../temporary-folder';
import { carrying, withUnknownSecrets } from './carry';
import { coverageOf } from './coverage';
import { hasDifferences, judgeParts, lacksMajority, partsOf, type Runs } from './judging';
import { serversFor } from './servers';
import { timeApplication } from './time';
import type { Traffic } from './traffic';

export interface ApplicationOptions {
  /**
   * The path of a script that calls `listen()`, or of a module that exports an application, a server, or a function
   * that creates one.
   */
  readonly file: string;
  readonly traffic: Traffic;
  /** The command-line arguments of the application, for its `process.argv`. */
  readonly args?: readonly string[];
  /** The baseline and the candidate. Default: the application's own Express, and Nozomi. */
  readonly implementations?: readonly [Implementation, Implementation];
  /** Each run starts in a new copy of this folder, for an application that writes files. Default: no copy. */
  readonly fresh?: string;
  /** The seed of the application's random values (ids, tokens); default: they differ in each run. */
  readonly seed?: number;
  /** The allowed differences. Their `scenarios` are keyed by the id in the report, such as `app.js: GET /`. */
  readonly divergences?: readonly Divergence[];
  /**
   * Selects the requests to compare by id; default: all. Every request is played, because a later one may depend on
   * it.
   */
  readonly isSelected?: (id: string) => boolean;
  /**
   * Called before each run. `nozomi-parity migrate --check` then writes the original or the rewritten files.
   * With this option deprecations are not compared, because the rewritten files no longer cause them.
   */
  prepare?(isCandidate: boolean): void;
  /** Called before each request to show the progress: of how many, and in which run. At the end `what` is empty. */
  onRun?(what: string, done: number, total: number): void;
  /** Whether to list the routes that no request reached; starts the application once more; default false. */
  readonly coverage?: boolean;
  /** How many milliseconds to wait until the application listens; default 20000. */
  readonly start?: number;
  /** Whether to measure the CPU time of an application without differences; default false. */
  readonly time?: boolean;
  /** How many milliseconds to wait for a response; default 8000. */
  readonly patience?: number;
  /** The kinds of gaps that the user allows; default: none. */
  readonly allowed?: readonly GapKind[];
  /** The maximum number of runs with each implementation; default 5. With 1, the baseline still runs twice. */
  readonly runs?: number;
}

const PATIENCE = 8000;
const RUNS = 5;
/** Milliseconds to wait for a response that did not end in an earlier run. */
const ENDLESS = 2000;
/** Milliseconds for a reply of the process, in addition to `start`. */
const REPLY = 10_000;

/**
 * Compares how an application behaves with the baseline and with the candidate.
 *
 * It runs the baseline, the candidate, and the baseline again. While a difference that is not allowed occurs in every
 * run, it repeats the runs, up to `runs` times. A difference that only some runs show (an id, a clock, timing) is not a
 * failure.
 *
 * @throws ImplementationLost if the application does not start with the baseline.
 * @throws TypeError if a file or folder is missing, Node.js cannot run the file, there is no request to play, or the
 *   application has no Express to compare with.
 */
export async function playApplication(options: ApplicationOptions): Promise<Report> {
  const started = performance.now();
  const { divergences = [], seed } = options;
  const setup = setUp(options);
  const player = new Player(options, setup);
  try {
    const runs = await playRuns(options, setup, player);
    const { verdicts, remarks } = judgeRun(options, setup, runs);
    const coverage = options.coverage
      ? await coverageOf(options, await player.play(setup.baseline, undefined, { notesRoutes: true }))
      : undefined;
    const isEqual = verdicts.every(({ state }) => state === 'equal' || state === 'declared');
    const timing =
      options.time && isEqual ? await time(options, setup, runs.baselines[0] ?? NOTHING) : undefined;
    const recording = compareWithRecording(options, setup, runs, verdicts);
    const allowed = options.allowed ?? [];
    return reportOn(verdicts, {
      kind: 'application',
      observers: setup.names.map((name, index) => ({ name, description: setup.descriptions[index] ?? '' })),
      ofBuild: isOwn(setup.candidate),
      isMove: setup.isMove,
      divergences,
      unknown: options.isSelected
        ? []
        : unknownScenarios(
            divergences,
            verdicts.map(({ entry }) => entry),
          ),
      recording,
      gaps: findGaps({ verdicts, recording, divergences, coverage, allowed }),
      runs: runs.baselines.length,
      remarks: [...player.remarks, ...remarks],
      ...(coverage && { coverage }),
      ...(timing && { timing }),
      ...(seed === undefined ? {} : { seed }),
      milliseconds: Math.round(performance.now() - started),
    });
  } finally {
    player.stop();
  }
}

/**
 * Runs the application once with the baseline, for `--show`.
 *
 * @returns The id and the observation of each selected part: the requests, and the output of the application.
 * @throws ImplementationLost if the application does not start.
 */
export async function showApplication(
  options: ApplicationOptions,
): Promise<Array<[id: string, Observation]>> {
  const setup = setUp(options);
  const player = new Player(options, setup);
  try {
    const seen = await player.play(setup.baseline);
    assertStarted(seen, setup.section, setup.names[0]);
    return partsOf(options, setup.section).map(({ entry, part }) => [entry.id, part(seen)]);
  } finally {
    player.stop();
  }
}

/** Lists the ids of the selected parts (the requests, and the output of the application), for `--list`. */
export function listApplication(
  options: Pick<ApplicationOptions, 'file' | 'traffic' | 'isSelected'>,
): string[] {
  return partsOf(options, basename(options.file)).map(({ entry }) => entry.id);
}

interface Setup {
  /** The file name of the application. Each id in the report begins with it: `app.js: GET /`. */
  readonly section: string;
  readonly baseline: Implementation;
  readonly candidate: Implementation;
  readonly names: readonly [string, string];
  readonly descriptions: readonly string[];
  /** The major version of Express whose interface the baseline has. */
  readonly major: string | undefined;
  /** Whether Express 4 is compared with Express 5. */
  readonly isMove: boolean;
  /** Whether the application depends on Express 3. */
  readonly isOld: boolean;
  /** The options of Node.js that an application in TypeScript needs; empty for JavaScript. */
  readonly execArgv: readonly string[];
}

/**
 * Checks the options, and finds out which Express the application uses.
 *
 * @throws TypeError if a file or folder is missing, Node.js cannot run the file, there is no request to play, or the
 *   application has no Express to compare with.
 */
function setUp(options: ApplicationOptions): Setup {
  const file = resolve(options.file);
  const folder = dirname(file);
  if (!existsSync(file)) throw new TypeError(`no such file: ${options.file}`);
  if (options.fresh !== undefined && !existsSync(options.fresh))
    throw new TypeError(`--fresh: no such folder: ${options.fresh}`);
  if (options.traffic.requests.length === 0) throw new TypeError('no request to play: the traffic is empty');
  if (options.isSelected && listApplication(options).length === 0)
    throw new TypeError('no request matches --only and --grep; --list without them prints all ids');
  const [major] = manifestIn(folder)?.version.split('.') ?? [];
  const isOld = major === '3';
  const [baseline, given] = options.implementations ?? [REFERENCE, BUILD];
  // If the baseline is the application's own Express 3 or 4, use the candidate's entry point for that version.
  const earlier = isOld ? given.express3 : major === '4' ? given.express4 : undefined;
  const candidate = (baseline === REFERENCE && earlier) || given;
  const majorOfBaseline = baseline === REFERENCE ? major : majorOf(baseline);
  return {
    major: majorOfBaseline,
    isMove: majorOfBaseline === '4' && majorOf(candidate) === '5',
    section: basename(file),
    baseline,
    candidate,
    isOld,
    execArgv: loaderFor(file),
    names: [titleOf(baseline), titleOf(candidate)],
    descriptions: [baseline, candidate].map((one) => describe(one, folder)),
  };
}

class Player {
  readonly #options: ApplicationOptions;
  readonly #setup: Setup;
  readonly #folder: string | undefined;
  /** The positions of the requests whose responses do not end. */
  readonly #endless = new Set<number>();
  /** What the baseline said about servers and copies that are not compared. */
  remarks: readonly string[] = [];
  /** The folder of the Express that the baseline loaded in place of the application's own copy. */
  onlyCopy: string | undefined;

  constructor(options: ApplicationOptions, setup: Setup) {
    this.#options = options;
    this.#setup = setup;
    this.#folder = options.fresh === undefined ? undefined : temporaryFolder('fresh');
  }

  /** Runs the application once in a new process; with the option `fresh`, in a new copy of that folder. */
  async play(
    implementation: Implementation,
    onStep: (done: number) => void = () => {},
    more: Pick<Implementation, 'notesRoutes'> = {},
  ): Promise<Observation> {
    onStep(0);
    const { isOld, execArgv } = this.#setup;
    const places = this.#freshPlaces();
    const spec = { ...inPlace(implementation, this.#options, this.#setup), ...places, ...more };
    const {
      remarks = [],
      onlyCopy,
      ...seen
    } = await observe(
      { ...spec, execArgv, ...(isOld && { onOldRuntime: true }) },
      this.#options,
      this.#endless,
      onStep,
    );
    if (implementation === this.#setup.baseline) {
      this.remarks = remarks;
      this.onlyCopy = onlyCopy;
    }
    for (const [index, { outcome, response }] of seen.exchanges.entries())
      if (outcome === 'silent' && response.status !== undefined) this.#endless.add(index);
    return seen;
  }

  stop(): void {
    if (this.#folder) removeFolder(this.#folder);
  }

  /** Copies the folder of the option `fresh`. An application in that folder runs in the copy, too. */
  #freshPlaces(): Pick<Implementation, 'application' | 'cwd'> {
    const { fresh, file } = this.#options;
    if (!this.#folder || fresh === undefined) return {};
    rmSync(this.#folder, { recursive: true, force: true });
    const folder = realpathSync(fresh);
    const copy = copyInto(folder, this.#folder);
    const inCopy = (path: string): string | undefined => {
      const way = relative(folder, path);
      return way.startsWith('..') || isAbsolute(way) ? undefined : join(copy, way);
    };
    const application = inCopy(realpathSync(file));
    return { ...(application && { application }), cwd: inCopy(realpathSync(process.cwd())) ?? copy };
  }
}

async function playRuns(
  options: ApplicationOptions,
  { baseline, candidate, names, section, major }: Setup,
  player: Player,
): Promise<Runs> {
  const most = Math.max(1, options.runs ?? RUNS);
  const [baselines, candidates]: [Observation[], Observation[]] = [[], []];
  const run = async (isBaseline: boolean): Promise<Observation> => {
    const [runs, implementation] = isBaseline ? [baselines, baseline] : [candidates, candidate];
    const again = runs.length > 0 ? `, run ${runs.length + 1}` : '';
    options.prepare?.(!isBaseline);
    const what = `requests with ${names[isBaseline ? 0 : 1]}${again}`;
    const played = await player.play(implementation, (done) =>
      options.onRun?.(what, done, options.traffic.requests.length),
    );
    const seen = options.prepare ? { ...played, deprecations: [] } : played;
    runs.push(seen);
    return seen;
  };
  assertStarted(await run(true), section, names[0]);
  assertReplaceable(player.onlyCopy, options.file, major);
  const first = await run(false);
  if (isStarted(first)) {
    await run(true);
    // Whether a value of the candidate varies, too, shows only in a second run.
    if (most > 1 && isUnsteady(baselines)) await run(false);
    const parts = partsOf(options, section);
    const runs = { baselines, candidates };
    // A request that had an accident in some run is played until most runs agree, also with `--runs 1`.
    while (baselines.length < Math.max(most, RUNS) && lacksMajority(parts, runs)) {
      await run(true);
      if (candidates.length < baselines.length) await run(false);
    }
    while (candidates.length < most && hasDifferences(parts, runs, options.divergences ?? [])) {
      await run(false);
      if (baselines.length < candidates.length) await run(true);
    }
  }
  options.onRun?.('', 1, 1);
  return { baselines, candidates };
}

/** Whether values differ between runs of the baseline. */
function isUnsteady(baselines: readonly Observation[]): boolean {
  return judgeRuns(baselines, baselines).unsteady.size > 0;
}

function time(options: ApplicationOptions, setup: Setup, { exchanges }: Observation): Promise<Timing> {
  const { baseline, candidate, execArgv, isOld } = setup;
  const [a, b] = [baseline, candidate].map((one) => ({
    ...inPlace(one, options, setup),
    execArgv,
    ...(isOld && { onOldRuntime: true as const }),
  })) as [Implementation, Implementation];
  const { traffic, patience = PATIENCE } = options;
  return timeApplication(a, b, {
    traffic,
    patience,
    seen: exchanges,
    env: environment(options.start),
    onProgress: (done, total) => options.onRun?.('slices of time', done, total),
  });
}

function isStarted({ lost, threw }: Observation): boolean {
  return lost === undefined && threw === undefined;
}

/** @throws ImplementationLost if the application did not start. The message contains its output, or how its process ended. */
function assertStarted(seen: Observation, section: string, name: string): void {
  if (!isStarted(seen)) throw new ImplementationLost(notStarted(seen, section, name));
}

/**
 * Checks that the application loads its own copy of Express, or the entry point of Nozomi with the interface of the
 * baseline. These are replaced.
 *
 * @param onlyCopy The folder of what it loads instead.
 * @param major The major version of Express whose interface the baseline has.
 * @throws TypeError if nothing was replaced. The message contains the option or the `npm install` command to use.
 */
function assertReplaceable(onlyCopy: string | undefined, file: string, major: string | undefined): void {
  if (onlyCopy === undefined) return;
  const { name, version } = manifestOf(onlyCopy);
  const framework = name === 'nozomi' ? 'Nozomi' : 'Express';
  const entry = /express([34])$/.exec(onlyCopy)?.[1] ?? '5';
  if (framework === 'Nozomi' && entry !== major)
    throw new TypeError(
      `${basename(file)} loads nozomi/${entry}, which only a baseline with the interface of Express ${entry} replaces, so Nozomi would be compared with itself: pass --baseline express@${entry}`,
    );
  throw new TypeError(
    `${basename(file)} loads only the ${framework} of a dependency, ${onlyCopy}, which is not replaced, so ${framework} would be compared with itself; in ${dirname(resolve(file))}: npm install ${name}@${version} && npm dedupe`,
  );
}

/** Returns the message for an application that did not start: one line, then its output or how its process ended. */
function notStarted({ lost, stderr, stdout }: Observation, section: string, name: string): string {
  // The child process has added the error and its stack to standard error.
  const output = [...stdout, ...stderr].join('').trimEnd();
  const reason = lost === undefined ? output : lost.replace(/^implementation "[^"]*"/, 'its process');
  // Node.js strips types, but does not compile enums and namespaces. tsx does.
  const remedy = reason.includes('ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') ? '\nnpm install --save-dev tsx' : '';
  return `${section} does not start with ${name}:\n${reason}${remedy}`;
}

function judgeRun(
  options: ApplicationOptions,
  { section, names }: Setup,
  runs: Runs,
): { verdicts: Verdict[]; remarks: string[] } {
  const [actual = NOTHING] = runs.candidates;
  if (isStarted(actual)) return judgeParts(partsOf(options, section), runs, options.divergences ?? [], names);
  const entry = { id: `${section}: it starts`, section, scenario: { name: 'it starts', clauses: [] } };
  const lost = notStarted(actual, section, names[1]);
  return { verdicts: [judge(entry, { ...NOTHING }, { ...NOTHING, lost }, [])], remarks: [] };
}

/** Statuses that show a missing login, a limit or a failure, if no recording says that they are right. */
const ERRORS = /^(?:401|403|407|429|5\d\d)$/;

/** Finds the requests to which the baseline did not respond as in the recording. */
function compareWithRecording(
  { traffic: { name, requests, leftOut, secrets } }: ApplicationOptions,
  { section }: Setup,
  { baselines }: Runs,
  verdicts: readonly Verdict[],
): Recording {
  const unknown = withUnknownSecrets(requests, secrets);
  const shown = new Map(verdicts.map(({ entry, seen }) => [entry.id, seen[0].exchanges[0]]));
  const deviations = requests.flatMap((one, index): Recording['deviations'][number][] => {
    const { id, recorded, answer } = one;
    // The exchange that is compared comes first. It is one of most runs.
    const [first = baselines[0]?.exchanges[index]] = [shown.get(`${section}: ${id}`)];
    const status = first?.response.status;
    const alike = baselines
      .map(({ exchanges }) => exchanges[index])
      .filter((exchange) => exchange?.response.status === status);
    const exchanges = [first, ...alike].filter((exchange) => exchange !== undefined);
    const why =
      recorded === undefined
        ? ERRORS.test(String(status))
          ? String(status)
          : undefined
        : deviationFrom({ status: recorded, headers: [], body: '', ...answer }, exchanges);
    return why === undefined
      ? []
      : [{ id, number: index + 1, recorded, status, why, lacksSecrets: unknown.has(one) }];
  });
  const recorded = requests.filter((one) => one.recorded !== undefined).length;
  const answered = baselines[0]?.exchanges.filter(isAnswered).length ?? 0;
  return { name, recorded, deviations, leftOut, answered };
}

/**
 * Returns a copy of the implementation that runs the application with replacements for its Express and morgan. In an
 * application that has switched, they replace the entry point of Nozomi that has the interface of the baseline.
 */
function inPlace(
  implementation: Implementation,
  { file, args = [], seed }: ApplicationOptions,
  { major }: Setup,
): Implementation {
  const folder = dirname(resolve(file));
  const replacements: Replacement[] = [
    { from: REFERENCE.framework, to: implementation.framework },
    { from: `nozomi/${major}`, to: implementation.framework },
    { from: REFERENCE.logger, to: implementation.logger },
  ].filter(({ from, to }) => (from !== to || from.startsWith('nozomi/')) && has(from, folder));
  const home = implementation === REFERENCE ? folder : ROOT;
  return {
    ...implementation,
    follows: 'reference',
    application: resolve(file),
    args,
    replacements: replacements.map(({ from, to }) => ({
      from,
      to: isOwn(implementation) ? to : locate(to, home),
    })),
    ...(seed === undefined ? {} : { seed }),
  };
}

/**
 * Converts a module name to a path, because the application may not find an aliased or nested copy by name. A name with
 * a subpath stays a name.
 *
 * @param from The folder from which the module is resolved.
 */
function locate(module: string, from: string): string {
  const { name, folder } = manifestOf(module, from);
  if (module.startsWith(`${name}/`)) return module;
  const file = resolveModule(module, from);
  if (file === require.resolve(folder)) return folder;
  // Return the folder of an index.js, because `redirect` appends paths such as `/package.json`.
  return basename(file) === 'index.js' ? dirname(file) : file;
}

/** Returns the name of an implementation for messages: `express` or `nozomi` for the defaults. */
function titleOf(implementation: Implementation): string {
  if (implementation === REFERENCE) return 'express';
  if (implementation === BUILD) return 'nozomi';
  return isOwn(implementation) ? implementation.framework : implementation.name;
}

const OWN = [BUILD, EXPRESS3_BUILD, EXPRESS4_BUILD];

/** Whether the implementation is an entry point of Nozomi. */
function isOwn(implementation: Implementation): boolean {
  return OWN.some(({ framework }) => framework === implementation.framework);
}

async function observe(
  spec: Implementation,
  { traffic, patience = PATIENCE, start }: ApplicationOptions,
  endless: ReadonlySet<number>,
  onStep: (done: number) => void,
): Promise<Observation & { readonly remarks?: readonly string[]; readonly onlyCopy?: string }> {
  const implementation = new ImplementationProcess(spec, {
    env: environment(start),
    ...(start !== undefined && { deadline: Math.max(30_000, start + REPLY) }),
  });
  try {
    const opened = await implementation.open(spec.application ?? '');
    const { pid } = implementation;
    const ports = opened.type === 'refused' ? [] : portsOf(opened.servers ?? []);
    const played = { ...spec, ports, ...(pid !== undefined && { pid }) };
    if (opened.type === 'refused') {
      const captured = await implementation.close(opened, 0);
      const { stderr } = captured;
      // Keep the original standard error: its stack frames show where the application failed.
      return { ...normalise({ ...captured, threw: opened.threw, exchanges: [] }, played), stderr };
    }
    const { port, servers = [], onlyCopy } = opened;
    const chosen = serversFor(traffic.requests, servers);
    const steps = carrying(traffic.requests, traffic.secrets).map((one, index): Step => {
      const server = chosen[index];
      return {
        ...onOneConnection(one),
        ...(endless.has(index) && { patience: ENDLESS }),
        ...(server && { server }),
      };
    });
    const raw = await playSteps(steps, { port, patience, onStep });
    const idle = servers.filter((one) => !chosen.includes(one)).map(({ name }) => name);
    const remarks = [
      ...(idle.length > 0 ? [`not played: the server on ${idle.join(', ')}`] : []),
      ...(opened.remarks ?? []),
    ];
    // Compare the recorded request. The one that was sent contains cookies of this run, which always differ.
    const exchanges = raw.map((exchange, index) => {
      const request = traffic.requests[index] ?? exchange.request;
      const isChanged = !bytesOf(request).equals(bytesOf(exchange.request));
      return {
        ...markFrames(decodeExchange(exchange)),
        request,
        ...(isChanged && { sent: exchange.request }),
      };
    });
    const captured = await implementation.close(opened, exchanges.length);
    const { uncaughtAt = [], ...normal } = normalise({ ...captured, exchanges }, played);
    return {
      ...normal,
      remarks,
      ...(onlyCopy !== undefined && { onlyCopy }),
      exchanges: normal.exchanges.map((exchange, index) => {
        const uncaught = normal.uncaught.filter((_one, at) => uncaughtAt[at] === index + 1);
        return withoutDerived(uncaught.length > 0 ? { ...exchange, uncaught } : exchange);
      }),
      uncaught: normal.uncaught.filter((_one, at) => (uncaughtAt[at] ?? 0) === 0),
    };
  } catch (error) {
    if (error instanceof ImplementationLost) return { ...NOTHING, lost: error.message };
    throw error;
  } finally {
    await implementation.stop();
  }
}

function portsOf(servers: readonly ServerPlace[]): Array<[number, string]> {
  return servers.flatMap(
    ({ at, asked = 0 }): Array<[number, string]> => ('port' in at ? [[at.port, String(asked)]] : []),
  );
}

/**
 * Returns the environment of the caller, because the application may read an address or a key from it. The default of TZ
 * is `UTC`. NODE_ENV has none: the application may read it from a file, and packages such as dotenv replace no variable.
 */
function environment(start?: number): Record<string, string | undefined> {
  const { NODE_ENV, TZ = 'UTC' } = process.env;
  return { ...process.env, NODE_ENV, TZ, ...(start !== undefined && { NOZOMI_START: String(start) }) };
}

/**
 * Describes an implementation with its version for the report: `express 5.1.0`.
 *
 * @throws TypeError if the application should run with its own Express, but has none. The message contains the
 *   `npm install` command.
 */
function describe(implementation: Implementation, folder: string): string {
  if (isOwn(implementation)) return `${titleOf(implementation)} ${manifestOf(BUILD.framework).version}`;
  if (implementation !== REFERENCE) {
    const { framework, logger } = implementation;
    return describeModules(framework, ...(has(REFERENCE.logger, folder) ? [logger] : []));
  }
  const manifest = manifestIn(folder);
  if (manifest?.name === 'nozomi')
    throw new TypeError(
      `the Express of the application is Nozomi ${manifest.version}, which would be compared with itself; install Express ${manifest.version} under another name, in ${folder || ROOT}: ${installing(manifest.version)}`,
    );
  if (manifest) return `express ${manifest.version}`;
  throw new TypeError(
    `the application has no Express to compare with; in ${folder || ROOT}: npm install express`,
  );
}

/** The command that installs a version of Express beside Nozomi, and the option that then selects it. */
function installing(version: string): string {
  const [major] = version.split('.');
  return `npm install --save-dev express-${major}@npm:express@${major}, then pass --baseline express@${major}`;
}

/** Whether an application in this folder can load a package. */
function has(module: string, folder: string): boolean {
  try {
    return Boolean(require.resolve(module, { paths: [folder] }));
  } catch {
    return false;
  }
}

/** Reads the package.json of the Express that an application in this folder loads; undefined if there is none. */
function manifestIn(folder: string): { name: string; version: string } | undefined {
  try {
    return manifestOf(REFERENCE.framework, folder);
  } catch {
    return undefined;
  }
}
