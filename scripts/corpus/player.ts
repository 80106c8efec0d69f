/** The player of the package `nozomi-corpus`: compares a framework with the recorded behaviour of Express. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { playSteps } from '../../parity/client/exchange';
import { fromHar, type Har } from '../../parity/corpus/har';
import { REFERENCE } from '../../parity/implementations/implementations';
import { NOTHING } from '../../parity/implementations/observe';
import type { Observation } from '../../parity/implementations/protocol';
import { compare } from '../../parity/judge/compare';
import { normalise } from '../../parity/judge/normalise';
import { setFileTimes } from '../../parity/scenario/file-times';
import type { AnyKit, Scenario } from '../../parity/scenario/scenario';
import { removeFolder, temporaryFolder } from '../../parity/temporary-folder';

export interface ScoreOptions {
  /** The module that replaces `express`. */
  readonly framework: unknown;
  /** The module that replaces `morgan`. */
  readonly logger: unknown;
  /** The value that the framework sends in `X-Powered-By`; default `Express`. */
  readonly identity?: string;
  /** Starts a server on a free port of 127.0.0.1 for an application that is neither a function nor an `http.Server`. */
  listen?(app: unknown): Promise<{ readonly port: number; close(): void }>;
  /** The sections to play; default all. */
  readonly sections?: readonly string[];
  /** Milliseconds to wait for a response; default 1500. An application may take ten times as long to start. */
  readonly patience?: number;
  /** Called after each scenario with the places that differ, such as `2.status`; none if all responses are equal. */
  onScenario?(id: string, differences: readonly string[]): void;
}

export interface Score {
  /** The number of scenarios in which all responses equal the recorded ones. */
  readonly equal: number;
  readonly played: number;
  /**
   * The number of responses whose status, headers and body equal the recorded ones. The order and spelling of headers,
   * the framing of the body and the headers of the connection do not count.
   */
  readonly equalResponses: number;
  readonly responses: number;
}

export interface SectionScore extends Score {
  readonly section: string;
  /** Whether the process played the whole section. If not, none of its scenarios counts as equal. */
  readonly ended: boolean;
}

const HOME = join(__dirname, '..', '..');

/** @returns The names of all sections, such as `4-endpoints/4.5-send`. */
export function sections(): string[] {
  return JSON.parse(readFileSync(join(HOME, 'sections.json'), 'utf8')) as string[];
}

/**
 * Lists the scenarios of a section, except those that need a process of their own or another version of Express.
 *
 * @returns Scenarios with `requests`, and with `build({ framework, logger, log, files, folder })`, which creates the
 * application.
 */
export function scenariosOf(section: string): readonly Scenario[] {
  const { default: all } = require(join(HOME, 'spec', `${section}.scenarios.js`)) as {
    default: Scenario[];
  };
  return all.filter(({ env, alone, series }) => !env && !alone && !series);
}

/**
 * Plays the scenarios of `scenariosOf` in this process and compares the responses with the recorded ones. Log lines are
 * not compared.
 */
export async function score(options: ScoreOptions): Promise<Score> {
  await setFileTimes();
  const ignore = (): void => {};
  const { error } = console;
  // Use the environment of the recordings. Hide the errors that the final handler prints, which are not compared.
  Object.assign(process.env, { NODE_ENV: 'development', TZ: 'UTC' });
  console.error = ignore;
  const cwd = process.cwd();
  process.chdir(HOME);
  process.on('uncaughtException', ignore);
  process.on('unhandledRejection', ignore);
  let [equal, played, equalResponses, responses] = [0, 0, 0, 0];
  try {
    for (const section of options.sections ?? sections()) {
      const recorded = recordedOf(section);
      for (const scenario of scenariosOf(section)) {
        const expected = recorded.get(scenario.name);
        if (!expected) continue;
        played++;
        const differences = await play(scenario, expected, options);
        if (differences.length === 0) equal++;
        responses += expected.exchanges.length;
        equalResponses += expected.exchanges.filter((_one, index) => isAlike(index + 1, differences)).length;
        options.onScenario?.(`${section}: ${scenario.name}`, differences);
      }
    }
  } finally {
    console.error = error;
    process.chdir(cwd);
    process.off('uncaughtException', ignore);
    process.off('unhandledRejection', ignore);
  }
  return { equal, played, equalResponses, responses };
}

/**
 * Scores each section in its own process, so that a section that never ends does not affect the others.
 *
 * @param file The path of a module that exports one function per framework. The function returns the options of
 * `score`.
 * @param name The name of the function in that module.
 * @param limit Milliseconds per section, default 60000. None of the scenarios of a slower section counts as equal.
 * @throws Error if the function is missing or throws, for example because the framework is not installed.
 */
export async function* scoreApart(file: string, name: string, limit = 60_000): AsyncGenerator<SectionScore> {
  for (const section of sections()) {
    const child = fork(join(__dirname, 'section.js'), [file, name, section], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      timeout: limit,
      killSignal: 'SIGKILL',
    });
    let actual: (Score & { failed?: string }) | undefined;
    child.on('message', (message) => {
      actual = message as Score;
    });
    await once(child, 'close');
    if (actual?.failed) throw new Error(actual.failed);
    yield { section, ...(actual ?? noneOf(section)), ended: actual !== undefined };
  }
}

export function totalOf(scores: readonly Score[]): Score {
  const sum = (key: keyof Score): number => scores.reduce((total, score) => total + score[key], 0);
  return {
    equal: sum('equal'),
    played: sum('played'),
    equalResponses: sum('equalResponses'),
    responses: sum('responses'),
  };
}

function noneOf(section: string): Score {
  const recorded = recordedOf(section);
  const played = scenariosOf(section).flatMap(({ name }) => recorded.get(name) ?? []);
  const responses = played.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  return { equal: 0, played: played.length, equalResponses: 0, responses };
}

function recordedOf(section: string): ReadonlyMap<string, Observation> {
  const file = join(HOME, 'fixtures', 'exchanges', `${section}.har`);
  return fromHar(JSON.parse(readFileSync(file, 'utf8')) as Har);
}

/**
 * Places whose differences do not count for `equalResponses`: order and spelling of headers, the framing of the body, and
 * the state and the headers of the connection.
 */
const INCIDENTAL = /\.(headers|headers\.(connection|keep-alive|transfer-encoding)|framing|connection)$/;

function isAlike(number: number, differences: readonly string[]): boolean {
  return differences.every(
    (place) => place !== 'built' && (!place.startsWith(`${number}.`) || INCIDENTAL.test(place)),
  );
}

async function play(scenario: Scenario, expected: Observation, options: ScoreOptions): Promise<string[]> {
  const { framework, logger, identity = 'Express', patience = 1500 } = options;
  const log = new Writable({ write: (_chunk, _encoding, done) => done() });
  const folder = temporaryFolder('corpus');
  const kit = {
    framework,
    logger,
    log,
    folder,
    files: join(HOME, 'fixtures', 'files'),
  } as unknown as AnyKit;
  let server: Listening | undefined;
  try {
    const built = Promise.resolve(scenario.build(kit));
    const listening = await inTime(built.then(listenWith(options)), 10 * patience);
    server = listening;
    const { port } = listening;
    const exchanges = await playSteps(scenario.requests, { port, patience });
    const actual = normalise({ ...NOTHING, exchanges }, { ...REFERENCE, identity });
    return compare({ ...NOTHING, exchanges: expected.exchanges }, actual).map(({ place }) => place);
  } catch {
    return expected.threw === undefined ? ['built'] : [];
  } finally {
    server?.close();
    removeFolder(folder);
  }
}

interface Listening {
  readonly port: number;
  close(): void;
}

function listenWith({ listen }: ScoreOptions): (built: unknown) => Promise<Listening> {
  return async (built) => {
    if (listen && typeof built !== 'function' && !(built instanceof Server)) return listen(built);
    const server = built instanceof Server ? built : createServer(built as RequestListener);
    if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      port: (server.address() as AddressInfo).port,
      close() {
        server.closeAllConnections();
        server.close();
      },
    };
  };
}

/** Waits for an application, at most for a number of milliseconds, because `build` may never resolve. */
async function inTime<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the application was not built within ${milliseconds} ms`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
