/** Plays the same requests to somebody's application twice: as it is, and with this build in place of Express. */
import { cpSync, existsSync, rmSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { playSteps } from '../client/exchange';
import {
  BUILD,
  describeModules,
  EXPRESS3_BUILD,
  type Implementation,
  ImplementationLost,
  ImplementationProcess,
  manifestOf,
  REFERENCE,
  ROOT,
} from '../implementations/implementations';
import { NOTHING, type Observation } from '../implementations/observe';
import { compare } from '../judge/compare';
import { type Divergence, VARIES } from '../judge/divergences';
import { judge, type Subject, type Verdict } from '../judge/judge';
import { normalise } from '../judge/normalise';
import { type Report, reportOn, unknownScenarios } from '../parity';
import { removeFolder, temporaryFolder } from '../temporary-folder';
import type { Replacement } from './redirect';
import { type Traffic, withCookies } from './traffic';

export interface ApplicationOptions {
  /** Path of the application: a program, or a module that exports an application, a server, or what makes one. */
  readonly file: string;
  readonly traffic: Traffic;
  /** What a program finds in `process.argv`, behind its own name. */
  readonly args?: readonly string[];
  /** What stands in the place of Express: first the one that is right, default is the application's own. */
  readonly implementations?: readonly [Implementation, Implementation];
  /** A folder: the application runs in a copy of it, made anew for each run. */
  readonly fresh?: string;
  /** Of the random values that the application draws; without one they differ from run to run. */
  readonly seed?: number;
  /** What may differ, by the ids of this report: `app.js: 1 GET /`. */
  readonly divergences?: readonly Divergence[];
  /** Called before each of the runs. */
  onRun?(what: string, done: number, total: number): void;
  /** Milliseconds to wait for one answer. */
  readonly patience?: number;
}

const PATIENCE = 8000;

/**
 * Three runs: with Express, with this build, and with Express once more. What differs between the two runs
 * with Express (an id, a clock) says nothing about this build, and is told apart.
 *
 * @throws ImplementationLost when the application does not start with Express.
 */
export async function playApplication(options: ApplicationOptions): Promise<Report> {
  const started = performance.now();
  const file = resolve(options.file);
  const folder = dirname(file);
  if (!existsSync(file)) throw new TypeError(`no such file: ${options.file}`);
  if (options.fresh !== undefined && !existsSync(options.fresh))
    throw new TypeError(`--fresh: no such folder: ${options.fresh}`);
  const isOld = manifestIn(folder)?.version.startsWith('3.') ?? false;
  const [right, given] = options.implementations ?? [REFERENCE, BUILD];
  // An application of the 3.x series is played to that series of this build.
  const judged = (isOld && right === REFERENCE && given.express3) || given;
  const names = [right, judged].map(titleOf);
  const descriptions = [right, judged].map((implementation) => describe(implementation, folder));
  const cwd = options.fresh === undefined ? undefined : temporaryFolder('fresh');
  const run = async (implementation: Implementation, done: number, what: string): Promise<Observation> => {
    options.onRun?.(what, done, 3);
    if (cwd && options.fresh) {
      rmSync(cwd, { recursive: true, force: true });
      cpSync(options.fresh, cwd, { recursive: true, preserveTimestamps: true });
    }
    return observe(
      { ...inPlace(implementation, options, cwd), ...(isOld && { onOldRuntime: true }) },
      options,
    );
  };
  try {
    const wanted = await run(right, 0, `with ${names[0]}`);
    const refusal = wanted.lost ?? wanted.threw;
    if (refusal !== undefined) {
      const errors = wanted.stderr.join('').trimEnd() || refusal;
      const told = errors.includes(refusal) ? errors : `${refusal}\n${errors}`;
      throw new ImplementationLost(`${basename(file)} does not start with ${capital(names[0])}:\n${told}`);
    }
    const came = await run(judged, 1, `with ${names[1]}`);
    const again = await run(right, 2, `with ${names[0]} again`);
    options.onRun?.('', 3, 3);

    const verdicts = judgeParts(options, wanted, came, again);
    const { divergences = [], seed } = options;
    return reportOn(verdicts, {
      kind: 'application',
      observers: names.map((name, index) => ({ name, description: descriptions[index] ?? '' })),
      divergences,
      unknown: unknownScenarios(
        divergences,
        verdicts.map(({ entry }) => entry),
      ),
      ...(seed === undefined ? {} : { seed }),
      milliseconds: Math.round(performance.now() - started),
    });
  } finally {
    if (cwd) removeFolder(cwd);
  }
}

/** The application as it is, or with an implementation in the place of Express and morgan. */
function inPlace(
  implementation: Implementation,
  { file, args = [], seed }: ApplicationOptions,
  cwd: string | undefined,
): Implementation {
  const replacements: Replacement[] = [
    { from: REFERENCE.framework, to: implementation.framework },
    { from: REFERENCE.logger, to: implementation.logger },
  ].filter(({ from, to }) => from !== to);
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

/** A package by its folder: an alias, or a copy beneath another, has no name of its own. */
function locate(module: string): string {
  const { name, folder } = manifestOf(module);
  return module.startsWith(`${name}/`) ? module : folder;
}

/** As people call it. */
function titleOf(implementation: Implementation): string {
  if (implementation === REFERENCE) return 'express';
  return isOwn(implementation) ? implementation.framework : implementation.name;
}

/** A door of this package. */
function isOwn(implementation: Implementation): boolean {
  return implementation === BUILD || implementation === EXPRESS3_BUILD;
}

function capital(name = ''): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** One verdict for each request, and one for what the application wrote: that it starts, where it does not. */
function judgeParts(
  { file, traffic: { requests }, divergences = [] }: ApplicationOptions,
  ...runs: readonly [wanted: Observation, came: Observation, again: Observation]
): Verdict[] {
  const section = basename(file);
  const judgePart = (name: string, part: (run: Observation) => Observation): Verdict => {
    const entry: Subject = { id: `${section}: ${name}`, section, scenario: { name, clauses: [] } };
    const [wanted, came, again] = [part(runs[0]), part(runs[1]), part(runs[2])];
    return judge(entry, wanted, came, [varying(entry, wanted, came, again), ...divergences]);
  };
  const [, came] = runs;
  if (came.lost !== undefined || came.threw !== undefined) return [judgePart('it starts', (run) => run)];
  return [
    ...requests.map(({ method, target }, index) =>
      judgePart(`${index + 1} ${method} ${target}`, ({ exchanges }) => ({
        ...NOTHING,
        exchanges: exchanges.slice(index, index + 1),
      })),
    ),
    judgePart('what it writes', (run) => ({ ...run, exchanges: [] })),
  ];
}

/** What differs, and differs between two runs with Express as well. */
function varying(entry: Subject, wanted: Observation, came: Observation, again: Observation): Divergence {
  const unstable = new Set(
    compare(wanted, again).flatMap(({ place }) => {
      // A body that differs takes its length and its validator along, though by chance two may be of one length.
      const exchange = /^(.+\.)body$/.exec(place)?.[1];
      return exchange ? [place, `${exchange}fields.content-length`, `${exchange}fields.etag`] : [place];
    }),
  );
  const places = compare(wanted, came)
    .map(({ place }) => place)
    .filter((place) => unstable.has(place));
  return {
    id: VARIES,
    clauses: [],
    differs: 'Two runs with Express differ here as well: an id, a clock, a random value',
    why: 'What Express itself does not do twice cannot be asked of another.',
    scenarios: { [entry.id]: places },
  };
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
      // With the frames of its stack: somebody has to find the place.
      return { ...normalise({ ...captured, threw: opened.threw, exchanges: [] }, spec), stderr };
    }
    const played = await playSteps(traffic.requests.map(withCookies), { port: opened.port, patience });
    // Each implementation was sent its own cookies back: that is no difference.
    const exchanges = played.map((exchange, index) => ({
      ...exchange,
      request: traffic.requests[index] ?? exchange.request,
    }));
    return normalise({ ...(await implementation.close(opened, exchanges.length)), exchanges }, spec);
  } catch (error) {
    if (error instanceof ImplementationLost) return { ...NOTHING, lost: error.message };
    throw error;
  } finally {
    await implementation.stop();
  }
}

/** The application's own: it may need an address or a key from there. */
function environment(): Record<string, string | undefined> {
  const { NODE_ENV = 'development', TZ = 'UTC' } = process.env;
  return { ...process.env, NODE_ENV, TZ };
}

/** @throws TypeError what to install. */
function describe(implementation: Implementation, folder: string): string {
  if (isOwn(implementation))
    return `${implementation.framework} ${manifestOf(BUILD.framework, __dirname).version}`;
  if (implementation !== REFERENCE) return describeModules(implementation.framework, implementation.logger);
  const manifest = manifestIn(folder);
  if (manifest) return `express ${manifest.version}`;
  throw new TypeError(
    `the application has no Express to be compared with; in ${folder || ROOT}: npm install express`,
  );
}

/** Of the application's own Express. */
function manifestIn(folder: string): { version: string } | undefined {
  try {
    return manifestOf(REFERENCE.framework, folder);
  } catch {
    return undefined;
  }
}
