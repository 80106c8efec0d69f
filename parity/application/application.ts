/**
 * Plays the same requests twice: to an application with its own Express, and to the application with this build in
 * place of Express.
 */
import { cpSync, existsSync, rmSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { decodeExchange } from '../client/decode';
import { playSteps } from '../client/exchange';
import type { Exchange } from '../client/messages';
import {
  BUILD,
  describeModules,
  EXPRESS3_BUILD,
  EXPRESS4_BUILD,
  ImplementationLost,
  ImplementationProcess,
  manifestOf,
  REFERENCE,
  ROOT,
} from '../implementations/implementations';
import { majorOf } from '../implementations/names';
import { NOTHING } from '../implementations/observe';
import type { Implementation, Observation } from '../implementations/protocol';
import type { Divergence } from '../judge/divergence';
import { VARIES } from '../judge/divergences';
import { judge, type Subject, type Verdict } from '../judge/judge';
import { markFrames, normalise, withoutDerived } from '../judge/normalise';
import { judgeRuns, lengthsAtThreshold } from '../judge/runs';
import { type Recording, type Report, reportOn, unknownScenarios } from '../parity';
import { removeFolder, temporaryFolder } from '../temporary-folder';
import type { Replacement } from './redirect';
import { type Traffic, withCookies } from './traffic';
import { loaderFor } from './typescript';

export interface ApplicationOptions {
  /**
   * The application: a script that listens, or a module that exports an application, a server, or a function that
   * creates one.
   */
  readonly file: string;
  readonly traffic: Traffic;
  /** The arguments that the application finds in `process.argv`. */
  readonly args?: readonly string[];
  /** The baseline and the candidate. The default baseline is the application's own Express. */
  readonly implementations?: readonly [Implementation, Implementation];
  /** A folder. Each run of the application gets a new copy of it. */
  readonly fresh?: string;
  /** The seed of the application's random values. Without it every run has other values. */
  readonly seed?: number;
  /** Differences that are allowed, by the id in the report: `app.js: GET /`. */
  readonly divergences?: readonly Divergence[];
  /**
   * Selects the requests to compare by their id; default: all. All requests are played, because one may depend on
   * another.
   */
  readonly isSelected?: (id: string) => boolean;
  /**
   * Called before each run, for an application whose files the candidate changes. Deprecations of the baseline are
   * then not compared, because the changed files no longer cause them.
   */
  prepare?(isCandidate: boolean): void;
  /** Called before each run. */
  onRun?(what: string, done: number, total: number): void;
  /** How many milliseconds to wait for a response; default 8000. */
  readonly patience?: number;
  /** The maximum number of runs of each implementation before a difference is reported; default 5. */
  readonly runs?: number;
}

const PATIENCE = 8000;
const RUNS = 5;

/**
 * Plays the baseline, the candidate, and the baseline again. Requests that differ are played up to `runs` times. A
 * difference that only some runs show (an id, a clock, timing) is no difference between the implementations.
 *
 * @throws ImplementationLost if the application does not start with the baseline.
 */
export async function playApplication(options: ApplicationOptions): Promise<Report> {
  const started = performance.now();
  const { divergences = [], seed, traffic } = options;
  const setup = setUp(options);
  const player = new Player(options, setup);
  try {
    const { baselines, candidates } = await playRuns(options, setup, player);
    const verdicts = judgeParts(options, setup, baselines, candidates);
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
      recording: compareWithRecording(traffic, baselines[0]),
      runs: baselines.length,
      ...(seed === undefined ? {} : { seed }),
      milliseconds: Math.round(performance.now() - started),
    });
  } finally {
    player.stop();
  }
}

/** @returns The observation of the baseline for the selected requests, for `--show`. */
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

/** The ids of the requests that are compared. */
export function listApplication(
  options: Pick<ApplicationOptions, 'file' | 'traffic' | 'isSelected'>,
): string[] {
  return partsOf(options, basename(options.file)).map(({ entry }) => entry.id);
}

interface Setup {
  /** The name of the file. Each id begins with it. */
  readonly section: string;
  readonly baseline: Implementation;
  readonly candidate: Implementation;
  readonly names: readonly [string, string];
  readonly descriptions: readonly string[];
  /** Whether the comparison is between Express 4 and 5. */
  readonly isMove: boolean;
  /** Whether the application is written for Express 3. */
  readonly isOld: boolean;
  /** The options of Node.js with which the file is loaded. */
  readonly execArgv: readonly string[];
}

/** @throws TypeError for a missing file or folder, a file that Node.js cannot run, or no request to play. */
function setUp(options: ApplicationOptions): Setup {
  const file = resolve(options.file);
  const folder = dirname(file);
  if (!existsSync(file)) throw new TypeError(`no such file: ${options.file}`);
  if (options.fresh !== undefined && !existsSync(options.fresh))
    throw new TypeError(`--fresh: no such folder: ${options.fresh}`);
  if (options.traffic.requests.length === 0) throw new TypeError('no request to play');
  if (options.isSelected && listApplication(options).length === 0)
    throw new TypeError('no request matches; --list prints their ids');
  const [major] = manifestIn(folder)?.version.split('.') ?? [];
  const isOld = major === '3';
  const [baseline, given] = options.implementations ?? [REFERENCE, BUILD];
  // An application of Express 3 or 4 is compared with the candidate's entry point for the same version.
  const earlier = isOld ? given.express3 : major === '4' ? given.express4 : undefined;
  const candidate = (baseline === REFERENCE && earlier) || given;
  const majorOfBaseline = baseline === REFERENCE ? major : majorOf(baseline);
  return {
    isMove: majorOfBaseline === '4' && majorOf(candidate) === '5',
    ...{ section: basename(file), baseline, candidate, isOld, execArgv: loaderFor(file) },
    names: [titleOf(baseline), titleOf(candidate)],
    descriptions: [baseline, candidate].map((one) => describe(one, folder)),
  };
}

class Player {
  readonly #options: ApplicationOptions;
  readonly #setup: Setup;
  readonly #folder: string | undefined;

  constructor(options: ApplicationOptions, setup: Setup) {
    this.#options = options;
    this.#setup = setup;
    this.#folder = options.fresh === undefined ? undefined : temporaryFolder('fresh');
  }

  /** Runs the application once, in its own process and, if required, in its own folder. */
  async play(implementation: Implementation): Promise<Observation> {
    const { fresh } = this.#options;
    if (this.#folder && fresh) {
      rmSync(this.#folder, { recursive: true, force: true });
      cpSync(fresh, this.#folder, { recursive: true, preserveTimestamps: true });
    }
    const { isOld, execArgv } = this.#setup;
    const spec = inPlace(implementation, this.#options, this.#folder);
    return observe({ ...spec, execArgv, ...(isOld && { onOldRuntime: true }) }, this.#options);
  }

  stop(): void {
    if (this.#folder) removeFolder(this.#folder);
  }
}

async function playRuns(
  options: ApplicationOptions,
  { baseline, candidate, names, section }: Setup,
  player: Player,
): Promise<{ baselines: Observation[]; candidates: Observation[] }> {
  const most = Math.max(1, options.runs ?? RUNS);
  const [baselines, candidates]: [Observation[], Observation[]] = [[], []];
  const run = async (isBaseline: boolean): Promise<Observation> => {
    const [runs, implementation] = isBaseline ? [baselines, baseline] : [candidates, candidate];
    const again = runs.length > 0 ? `, run ${runs.length + 1}` : '';
    const done = baselines.length + candidates.length;
    options.onRun?.(`with ${names[isBaseline ? 0 : 1]}${again}`, done, Math.max(3, done + 1));
    options.prepare?.(!isBaseline);
    const played = await player.play(implementation);
    const seen = options.prepare ? { ...played, deprecations: [] } : played;
    runs.push(seen);
    return seen;
  };
  assertStarted(await run(true), section, names[0]);
  const first = await run(false);
  if (isStarted(first)) {
    await run(true);
    while (candidates.length < most && hasDifferences(options, section, baselines, candidates)) {
      await run(false);
      if (baselines.length < candidates.length) await run(true);
    }
  }
  options.onRun?.('', 1, 1);
  return { baselines, candidates };
}

function hasDifferences(
  options: ApplicationOptions,
  section: string,
  baselines: readonly Observation[],
  candidates: readonly Observation[],
): boolean {
  const { divergences = [] } = options;
  const lengths = lengthsAtThreshold(baselines, candidates);
  return partsOf(options, section).some(({ entry, part }) => {
    const declared = new Set(divergences.flatMap(({ scenarios }) => scenarios[entry.id] ?? []));
    const { differences } = judgeRuns(baselines.map(part), candidates.map(part), lengths);
    return differences.some(({ place }) => !declared.has(place));
  });
}

function isStarted({ lost, threw }: Observation): boolean {
  return lost === undefined && threw === undefined;
}

/** @throws ImplementationLost with the output of the application. */
function assertStarted(seen: Observation, section: string, name: string): void {
  if (!isStarted(seen)) throw new ImplementationLost(notStarted(seen, section, name));
}

/** The message for an application that did not start: one line, and its output. */
function notStarted({ lost, stderr, stdout }: Observation, section: string, name: string): string {
  // Its output contains the error with its stack frames.
  const output = [...stdout, ...stderr].join('').trimEnd();
  const told = lost === undefined ? output : lost.replace(/^implementation "[^"]*"/, 'its process');
  // Syntax such as an enum or a namespace: Node.js strips types, but compiles nothing.
  const remedy = told.includes('ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') ? '\nnpm install --save-dev tsx' : '';
  return `${section} does not start with ${name}:\n${told}${remedy}`;
}

/** A part of the observation that is compared separately: a request, or the output of the application. */
interface Part {
  readonly entry: Subject;
  part(run: Observation): Observation;
}

function partsOf(
  { traffic, isSelected }: Pick<ApplicationOptions, 'traffic' | 'isSelected'>,
  section: string,
): Part[] {
  const toEntry = (name: string, number?: number): Subject => ({
    ...{ id: `${section}: ${name}`, section, scenario: { name, clauses: [] } },
    ...(number !== undefined && { number }),
  });
  const requests = traffic.requests.map(
    ({ id }, index): Part => ({
      entry: toEntry(id, index + 1),
      part: ({ exchanges }) => ({ ...NOTHING, exchanges: exchanges.slice(index, index + 1) }),
    }),
  );
  const written: Part = {
    entry: toEntry('what it writes'),
    part: (run) => ({ ...run, exchanges: [] }),
  };
  return [...requests, written].filter(({ entry }) => !isSelected || isSelected(entry.id));
}

function judgeParts(
  options: ApplicationOptions,
  { section, names }: Setup,
  baselines: readonly Observation[],
  candidates: readonly Observation[],
): Verdict[] {
  const { divergences = [] } = options;
  const [wanted = NOTHING] = baselines;
  const [came = NOTHING] = candidates;
  if (!isStarted(came)) {
    const entry = { id: `${section}: it starts`, section, scenario: { name: 'it starts', clauses: [] } };
    const lost = notStarted(came, section, names[1]);
    return [judge(entry, { ...NOTHING }, { ...NOTHING, lost }, [])];
  }
  const lengths = lengthsAtThreshold(baselines, candidates);
  return partsOf(options, section).map(({ entry, part }) => {
    const judged = judgeRuns(baselines.map(part), candidates.map(part), lengths);
    const { differences, varying, unsteady } = judged;
    const varies: Divergence = {
      id: VARIES,
      clauses: [],
      differs: 'Runs of one implementation differ here as well: an id, a clock, a random value',
      why: 'What Express itself does not do twice cannot be expected of another.',
      scenarios: { [entry.id]: varying.map(({ place }) => place) },
    };
    return judge(entry, part(wanted), part(came), [varies, ...divergences], {
      found: [...differences, ...varying],
      unsteady,
    });
  });
}

/**
 * The requests to which the baseline responds with another status than the recording has, for example because of
 * another database or an expired session.
 */
function compareWithRecording(
  { name, requests, leftOut }: Traffic,
  seen: Observation | undefined,
): Recording {
  const deviations = requests.flatMap(({ id, recorded }, index) => {
    const status = seen?.exchanges[index]?.response.status;
    return recorded === undefined || recorded === status ? [] : [{ id, recorded, status }];
  });
  const recorded = requests.filter((one) => one.recorded !== undefined).length;
  return { name, recorded, deviations, leftOut, answered: seen?.exchanges.filter(isAnswered).length ?? 0 };
}

function isAnswered({ response }: Exchange): boolean {
  return response.status !== undefined;
}

/** The application itself, or with an implementation in place of Express and morgan. */
function inPlace(
  implementation: Implementation,
  { file, args = [], seed }: ApplicationOptions,
  cwd: string | undefined,
): Implementation {
  const replacements: Replacement[] = [
    { from: REFERENCE.framework, to: implementation.framework },
    { from: REFERENCE.logger, to: implementation.logger },
  ].filter(
    ({ from, to }) =>
      from !== to && (from !== REFERENCE.logger || has(REFERENCE.logger, dirname(resolve(file)))),
  );
  return {
    ...implementation,
    follows: 'reference',
    application: resolve(file),
    args,
    replacements: replacements.map(({ from, to }) => ({ from, to: isOwn(implementation) ? to : locate(to) })),
    ...(cwd === undefined ? {} : { cwd }),
    ...(seed === undefined ? {} : { seed }),
  };
}

/** The folder of a package, by which even an aliased or nested copy is found; for another file of a package, its path. */
function locate(module: string): string {
  const { name, folder } = manifestOf(module);
  if (module.startsWith(`${name}/`)) return module;
  const file = require.resolve(module, { paths: [ROOT] });
  if (file === require.resolve(folder)) return folder;
  // The other entry points are beside index.js, in its folder.
  return basename(file) === 'index.js' ? dirname(file) : file;
}

/** The name of an implementation in messages. */
function titleOf(implementation: Implementation): string {
  if (implementation === REFERENCE) return 'express';
  if (implementation === BUILD) return 'nozomi';
  return isOwn(implementation) ? implementation.framework : implementation.name;
}

const OWN = [BUILD, EXPRESS3_BUILD, EXPRESS4_BUILD];

/** Whether the implementation is an entry point of this package. */
function isOwn(implementation: Implementation): boolean {
  return OWN.some(({ framework }) => framework === implementation.framework);
}

async function observe(
  spec: Implementation,
  { traffic, patience = PATIENCE }: ApplicationOptions,
): Promise<Observation> {
  const implementation = new ImplementationProcess(spec, { env: environment(), deadline: 30_000 });
  try {
    const opened = await implementation.open(spec.application ?? '');
    if (opened.type === 'refused') {
      const captured = await implementation.close(opened, 0);
      const { stderr } = captured;
      // With stack frames, which show the place of the error.
      return { ...normalise({ ...captured, threw: opened.threw, exchanges: [] }, spec), stderr };
    }
    const { port, isSecure = false } = opened;
    const played = await playSteps(traffic.requests.map(withCookies), { port, isSecure, patience });
    // Each implementation has its own cookies, so requests that contain them may differ.
    const exchanges = played.map((exchange, index) => ({
      ...markFrames(decodeExchange(exchange)),
      request: traffic.requests[index] ?? exchange.request,
    }));
    const captured = await implementation.close(opened, exchanges.length);
    const { uncaughtAt = [], ...normal } = normalise({ ...captured, exchanges }, spec);
    return {
      ...normal,
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

/** The environment of the caller, because the application may need an address or a key from it. */
function environment(): Record<string, string | undefined> {
  const { NODE_ENV = 'development', TZ = 'UTC' } = process.env;
  return { ...process.env, NODE_ENV, TZ };
}

/** @throws TypeError that names the package to install. */
function describe(implementation: Implementation, folder: string): string {
  if (isOwn(implementation))
    return `${titleOf(implementation)} ${manifestOf(BUILD.framework, __dirname).version}`;
  if (implementation !== REFERENCE) {
    const { framework, logger } = implementation;
    return describeModules(framework, ...(has(REFERENCE.logger, folder) ? [logger] : []));
  }
  const manifest = manifestIn(folder);
  if (manifest) return `express ${manifest.version}`;
  throw new TypeError(
    `the application has no Express to be compared with; in ${folder || ROOT}: npm install express`,
  );
}

/** Whether an application in this folder can load a package. */
function has(module: string, folder: string): boolean {
  try {
    return Boolean(require.resolve(module, { paths: [folder] }));
  } catch {
    return false;
  }
}

/** The package.json of the Express that the application resolves. */
function manifestIn(folder: string): { version: string } | undefined {
  try {
    return manifestOf(REFERENCE.framework, folder);
  } catch {
    return undefined;
  }
}
