/** The package `nozomi-corpus`: compares a framework with Express's recorded behaviour, in this process. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { playSteps } from '../../parity/client/exchange';
import { fromHar, type Har } from '../../parity/corpus/har';
import { REFERENCE } from '../../parity/implementations/implementations';
import { NOTHING, type Observation } from '../../parity/implementations/observe';
import { compare } from '../../parity/judge/compare';
import { normalise } from '../../parity/judge/normalise';
import { setFileTimes } from '../../parity/scenario/file-times';
import type { AnyKit, Scenario } from '../../parity/scenario/scenario';

export interface ScoreOptions {
  /** Replaces `express`. */
  readonly framework: unknown;
  /** Replaces `morgan`. */
  readonly logger: unknown;
  /** The framework's name in `X-Powered-By`; default `Express`. */
  readonly identity?: string;
  /** Milliseconds to wait for one response; default 1500. */
  readonly patience?: number;
  /** Called for each scenario, with the places that differ. */
  onScenario?(id: string, differences: readonly string[]): void;
}

export interface Score {
  /** Scenarios whose responses equal the recorded ones. */
  readonly equal: number;
  readonly played: number;
}

const HOME = join(__dirname, '..', '..');

/** The recorded scenarios, by section: plain modules that need a framework function. */
export function sections(): string[] {
  return JSON.parse(readFileSync(join(HOME, 'sections.json'), 'utf8')) as string[];
}

/** @returns The scenarios of a section: `build({ framework, logger, log, files, folder })` and `requests`. */
export function scenariosOf(section: string): readonly Scenario[] {
  return require(join(HOME, 'parity', 'scenarios', `${section}.js`)).default as Scenario[];
}

/** Plays every scenario of Express 5 that does not need its own process. Compares responses, not log lines. */
export async function score(options: ScoreOptions): Promise<Score> {
  await setFileTimes();
  const ignore = (): void => {};
  const { error } = console;
  // The environment of the recordings; errors that the final handler prints are not compared.
  Object.assign(process.env, { NODE_ENV: 'development', TZ: 'UTC' });
  console.error = ignore;
  const cwd = process.cwd();
  process.chdir(HOME);
  process.on('uncaughtException', ignore);
  process.on('unhandledRejection', ignore);
  let [equal, played] = [0, 0];
  try {
    for (const section of sections()) {
      const file = join(HOME, 'fixtures', 'exchanges', `${section}.har`);
      const recorded = fromHar(JSON.parse(readFileSync(file, 'utf8')) as Har);
      for (const scenario of scenariosOf(section)) {
        const wanted = recorded.get(scenario.name);
        if (!wanted || scenario.env || scenario.alone || scenario.series) continue;
        played++;
        const differences = await play(scenario, wanted, options);
        if (differences.length === 0) equal++;
        options.onScenario?.(`${section}: ${scenario.name}`, differences);
      }
    }
  } finally {
    console.error = error;
    process.chdir(cwd);
    process.off('uncaughtException', ignore);
    process.off('unhandledRejection', ignore);
  }
  return { equal, played };
}

async function play(
  scenario: Scenario,
  wanted: Observation,
  { framework, logger, identity = 'Express', patience = 1500 }: ScoreOptions,
): Promise<string[]> {
  const log = new Writable({ write: (_chunk, _encoding, done) => done() });
  const folder = mkdtempSync(join(tmpdir(), 'nozomi-corpus-'));
  let server: Server;
  try {
    const kit = {
      framework,
      logger,
      log,
      folder,
      files: join(HOME, 'fixtures', 'files'),
    } as unknown as AnyKit;
    const built = await scenario.build(kit);
    server = built instanceof Server ? built : createServer(built as RequestListener);
    if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    return wanted.threw === undefined ? [`built: threw ${error}`] : [];
  }
  try {
    const { port } = server.address() as AddressInfo;
    const exchanges = await playSteps(scenario.requests, { port, patience });
    const came = normalise({ ...NOTHING, exchanges }, { ...REFERENCE, identity });
    return compare({ ...NOTHING, exchanges: wanted.exchanges }, came).map(({ place }) => place);
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
