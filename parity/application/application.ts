/** Plays the same requests to somebody's application twice: as it is, and with this build in place of Express. */
import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { compare } from '../compare';
import type { Divergence } from '../divergences';
import { playSteps } from '../exchange';
import { judge, type Subject, type Verdict } from '../judge';
import { normalise } from '../normalise';
import { NOTHING, type Observation } from '../observe';
import { type Report, reportOn } from '../parity';
import { BUILD, manifestOf, REFERENCE, ROOT, World, WorldLost, type WorldSpec } from '../worlds';
import type { Replacement } from './redirect';
import { type Traffic, withCookies } from './traffic';

export interface ApplicationOptions {
  /** Path of the application: a program, or a module that exports an application, a server, or what makes one. */
  readonly file: string;
  readonly traffic: Traffic;
  /** Milliseconds to wait for one answer. */
  readonly patience?: number;
}

/** Named in a report where Express itself does not do the same twice. */
export const VARIES = 'varies';

const REPLACEMENTS: readonly Replacement[] = [
  { from: REFERENCE.framework, to: BUILD.framework },
  { from: REFERENCE.logger, to: BUILD.logger },
];
const PATIENCE = 8000;

/**
 * Three runs: with Express, with this build, and with Express once more. What differs between the two runs
 * with Express (an id, a clock) says nothing about this build, and is told apart.
 *
 * @throws WorldLost when the application does not start with Express.
 */
export async function playApplication(options: ApplicationOptions): Promise<Report> {
  const started = performance.now();
  const file = resolve(options.file);
  const folder = dirname(file);
  if (!existsSync(file)) throw new TypeError(`no such file: ${options.file}`);
  const description = describe(folder);
  const asIs: WorldSpec = { ...REFERENCE, application: file };
  const replaced: WorldSpec = {
    ...BUILD,
    follows: 'reference',
    application: file,
    replacements: REPLACEMENTS,
  };

  const wanted = await observe(asIs, options);
  const refusal = wanted.lost ?? wanted.threw;
  if (refusal !== undefined) {
    throw new WorldLost(
      `${basename(file)} does not start with Express:\n${refusal}\n${wanted.stderr.join('')}`,
    );
  }
  const came = await observe(replaced, options);
  const again = await observe(asIs, options);

  const verdicts = judgeParts(options, wanted, came, again);
  return reportOn(verdicts, {
    kind: 'application',
    witnesses: [
      { name: 'express', description },
      { name: 'nozomi', description: `nozomi ${manifestOf(BUILD.framework, __dirname).version}` },
    ],
    milliseconds: Math.round(performance.now() - started),
  });
}

/** One verdict for each request, and one for what the application wrote: that it starts, where it does not. */
function judgeParts(
  { file, traffic: { requests } }: ApplicationOptions,
  ...runs: readonly [wanted: Observation, came: Observation, again: Observation]
): Verdict[] {
  const section = basename(file);
  const judgePart = (name: string, part: (run: Observation) => Observation): Verdict => {
    const entry: Subject = { id: `${section}: ${name}`, section, scenario: { name, clauses: [] } };
    const [wanted, came, again] = [part(runs[0]), part(runs[1]), part(runs[2])];
    return judge(entry, wanted, came, [varying(entry, wanted, came, again)]);
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
  const unstable = new Set(compare(wanted, again).map(({ place }) => place));
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
  spec: WorldSpec,
  { traffic, patience = PATIENCE }: ApplicationOptions,
): Promise<Observation> {
  const world = new World(spec, { env: environment(), deadline: 30_000 });
  try {
    const opened = await world.open(spec.application ?? '');
    if (opened.type === 'refused') {
      return normalise({ ...(await world.close(opened, 0)), threw: opened.threw, exchanges: [] }, spec);
    }
    const played = await playSteps(traffic.requests.map(withCookies), { port: opened.port, patience });
    // Each world was sent its own cookies back: that is no difference.
    const exchanges = played.map((exchange, index) => ({
      ...exchange,
      request: traffic.requests[index] ?? exchange.request,
    }));
    return normalise({ ...(await world.close(opened, exchanges.length)), exchanges }, spec);
  } catch (error) {
    if (error instanceof WorldLost) return { ...NOTHING, lost: error.message };
    throw error;
  } finally {
    await world.stop();
  }
}

/** The application's own: it may need an address or a key from there. */
function environment(): Record<string, string | undefined> {
  const { NODE_ENV = 'development', TZ = 'UTC' } = process.env;
  return { ...process.env, NODE_ENV, TZ };
}

/** @throws TypeError what to install. */
function describe(folder: string): string {
  try {
    const { version } = manifestOf(REFERENCE.framework, folder);
    return `express ${version}`;
  } catch {
    throw new TypeError(
      `the application has no Express to be compared with; in ${folder || ROOT}: npm install express`,
    );
  }
}
