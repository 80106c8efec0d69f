/** The package `nozomi-corpus`: compares a framework with Express's recorded behaviour, in this process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
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

export interface ScoreOptions {
  /** The module that replaces `express`. */
  readonly framework: unknown;
  /** The module that replaces `morgan`. */
  readonly logger: unknown;
  /** The framework's name in `X-Powered-By`; default `Express`. */
  readonly identity?: string;
  /** Makes an application that is no request listener listen on a free port of 127.0.0.1. */
  listen?(app: unknown): Promise<{ readonly port: number; close(): void }>;
  /** The sections to play; default all. */
  readonly sections?: readonly string[];
  /**
   * How many milliseconds to wait for a response; default 1500. An application may take ten times as long to start.
   */
  readonly patience?: number;
  /** Called for each scenario with the places that differ. */
  onScenario?(id: string, differences: readonly string[]): void;
}

export interface Score {
  /** The number of scenarios whose responses equal the recorded ones. */
  readonly equal: number;
  readonly played: number;
  /** The number of responses whose status, headers (in any order) and body equal the recorded ones. */
  readonly equalResponses: number;
  readonly responses: number;
}

export interface SectionScore extends Score {
  readonly section: string;
  /** Whether the section completed; otherwise none of its scenarios counts. */
  readonly ended: boolean;
}

const HOME = join(__dirname, '..', '..');

/** The names of the sections: plain modules that need a framework function. */
export function sections(): string[] {
  return JSON.parse(readFileSync(join(HOME, 'sections.json'), 'utf8')) as string[];
}

/**
 * @returns The scenarios of a section that need no process of their own, each with `build({ framework, logger, log,
 *   files, folder })` and `requests`.
 */
export function scenariosOf(section: string): readonly Scenario[] {
  const { default: all } = require(join(HOME, 'parity', 'scenarios', `${section}.js`)) as {
    default: Scenario[];
  };
  return all.filter(({ env, alone, series }) => !env && !alone && !series);
}

/** Plays every scenario of Express 5 that does not need its own process. Compares responses, not log lines. */
export async function score(options: ScoreOptions): Promise<Score> {
  await setFileTimes();
  const ignore = (): void => {};
  const { error } = console;
  // The environment of the recordings. Errors that the final handler prints are not compared.
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
        const wanted = recorded.get(scenario.name);
        if (!wanted) continue;
        played++;
        const differences = await play(scenario, wanted, options);
        if (differences.length === 0) equal++;
        responses += wanted.exchanges.length;
        equalResponses += wanted.exchanges.filter((_one, index) => isAlike(index + 1, differences)).length;
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
 * Scores each section in a process of its own, so that a section that never ends does not affect the others.
 *
 * @param file A module that exports functions by framework name, each of which returns the options of `score`.
 * @param limit Milliseconds for a section; if it takes longer, none of its scenarios counts. Default 60000.
 * @throws Error if the function throws, for example because a framework is not installed.
 */
export async function* scoreApart(file: string, name: string, limit = 60_000): AsyncGenerator<SectionScore> {
  for (const section of sections()) {
    const child = fork(join(__dirname, 'section.js'), [file, name, section], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      timeout: limit,
      killSignal: 'SIGKILL',
    });
    let came: (Score & { failed?: string }) | undefined;
    child.on('message', (message) => {
      came = message as Score;
    });
    await once(child, 'close');
    if (came?.failed) throw new Error(came.failed);
    yield { section, ...(came ?? noneOf(section)), ended: came !== undefined };
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

/** Order and spelling of headers, and how the connection is kept. */
const INCIDENTAL = /\.(headers|headers\.(connection|keep-alive|transfer-encoding)|framing|connection)$/;

function isAlike(number: number, differences: readonly string[]): boolean {
  return differences.every(
    (place) => place !== 'built' && (!place.startsWith(`${number}.`) || INCIDENTAL.test(place)),
  );
}

async function play(scenario: Scenario, wanted: Observation, options: ScoreOptions): Promise<string[]> {
  const { framework, logger, identity = 'Express', patience = 1500 } = options;
  const log = new Writable({ write: (_chunk, _encoding, done) => done() });
  const folder = mkdtempSync(join(tmpdir(), 'nozomi-corpus-'));
  const kit = {
    ...{ framework, logger, log, folder },
    files: join(HOME, 'fixtures', 'files'),
  } as unknown as AnyKit;
  let server: Listening | undefined;
  try {
    const built = Promise.resolve(scenario.build(kit));
    const listening = await inTime(built.then(listenWith(options)), 10 * patience);
    server = listening;
    const { port } = listening;
    const exchanges = await playSteps(scenario.requests, { port, patience });
    const came = normalise({ ...NOTHING, exchanges }, { ...REFERENCE, identity });
    return compare({ ...NOTHING, exchanges: wanted.exchanges }, came).map(({ place }) => place);
  } catch {
    return wanted.threw === undefined ? ['built'] : [];
  } finally {
    server?.close();
    rmSync(folder, { recursive: true, force: true });
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

/** Rejects after a time limit: an implementation may never finish building an application. */
async function inTime<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no application after ${milliseconds} ms`)), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
