/** `nozomi-parity` and `npm run parity`: plays scenarios or an application with two implementations. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  type ApplicationOptions,
  listApplication,
  playApplication,
  showApplication,
} from '../application/application';
import { readHar, readRequests, type Traffic } from '../application/traffic';
import { playCircumstances } from '../circumstance-matrix';
import { circumstancesNamed } from '../circumstances';
import { CORPUS, Corpus, isRecorded, record, writeSection } from '../corpus/corpus';
import { DIVERGENCES, VARIES } from '../divergences';
import { hermetically } from '../hermetic/hermetic';
import { implementationOf, inRealm, REFERENCE, withOwnConnection } from '../implementations/implementations';
import { implementationNamed, majorOf, playsScenariosOf4 } from '../implementations/names';
import { type Observer, WorkerPool } from '../implementations/observe';
import { ROOT } from '../implementations/project';
import type { Implementation } from '../implementations/protocol';
import { toDivergences } from '../judge/accept';
import { readDivergences } from '../judge/read-divergences';
import type { Report } from '../judge/report';
import { runParity } from '../parity';
import { formatCircumstances } from '../report/circumstances';
import { coloured } from '../report/colour';
import { toGithub } from '../report/github';
import { readCharts } from '../report/html/charts';
import { toHtml } from '../report/html/html';
import { toJunit } from '../report/junit';
import { toMarkdown } from '../report/markdown';
import { maskObservation, maskReport } from '../report/mask';
import { formatMatrix } from '../report/matrix';
import { printable } from '../report/printable';
import { showProgress } from '../report/progress';
import { showEntries, showObservations } from '../report/show';
import { counted, formatReport, gain, leftUntested, notes, toJson } from '../report/terminal';
import { type Entry, readCatalogue } from '../scenario/catalogue';
import { selectEntries } from '../scenario/select';
import { playMatrix } from '../transport-matrix';
import { transportsNamed } from '../transports/transport';
import { OVERVIEW } from './help';
import { type Options, readOptions, type Values } from './options';

const REPORTERS = {
  terminal: formatReport,
  json: toJson,
  junit: toJunit,
  github: toGithub,
  markdown: toMarkdown,
  html: (report: Report) => toHtml(report, { charts: readCharts(join(ROOT, 'report')) }),
};
/** The value of `--baseline` or `--candidate` that stands for the recorded exchanges. */
const RECORDED = 'corpus';

type Prepare = NonNullable<ApplicationOptions['prepare']>;

/**
 * Runs `nozomi-parity`: writes the report, or the message of an error.
 *
 * @param args The arguments after the name of the command.
 * @param prepare Called before each run of an application, see `ApplicationOptions`.
 * @returns The exit code: 0 equal, 1 different, 2 inconclusive: it could not run, or did not compare everything.
 */
export async function parity(args: readonly string[], prepare?: Prepare): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Exit on a signal, so that the exit handlers stop the processes of the implementations. Shells use the same codes.
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
  try {
    return await run(args, prepare);
  } catch (error) {
    console.error(printable(`parity: ${(error as Error).message}`));
    return 2;
  }
}

async function run(args: readonly string[], prepare: Prepare | undefined): Promise<number> {
  const options = readOptions(args);
  if (options.values.help) {
    process.stdout.write(OVERVIEW);
    return 0;
  }
  if (options.application === undefined) return playScenarios(options);
  const compare = (): Promise<number> => compareApplication(options, prepare);
  const { hermetic } = options.values;
  return hermetic === undefined ? compare() : hermetically(hermetic, compare);
}

async function compareApplication(options: Options, prepare: Prepare | undefined): Promise<number> {
  const { values, application: file = '', args, seed, patience, runs, start } = options;
  const divergences = readDivergences(values.divergences);
  const [baseline, candidate] = [values.baseline, values.candidate].map(runnableNamed) as [
    Implementation,
    Implementation,
  ];
  const { only, grep } = values;
  const isSelected = (id: string): boolean =>
    (only.length === 0 || only.some((one) => id === one || id.endsWith(`: ${one}`))) &&
    (grep === undefined || id.includes(grep));
  const application: ApplicationOptions = {
    file,
    args,
    traffic: trafficOf(values),
    implementations: [baseline, candidate],
    ...(values.fresh === undefined ? {} : { fresh: values.fresh }),
    ...(seed === undefined ? {} : { seed }),
    ...(patience === undefined ? {} : { patience }),
    ...(runs === undefined ? {} : { runs }),
    ...(start === undefined ? {} : { start }),
    ...(values.time ? { time: true } : {}),
    ...(values.coverage ? { coverage: true } : {}),
    ...(divergences ? { divergences } : {}),
    ...(prepare ? { prepare } : {}),
    allowed: options.allowed,
    ...(only.length > 0 || grep !== undefined ? { isSelected } : {}),
    onRun: (what, done, total) => showProgress({ what, done, total }),
  };
  if (values.list) {
    process.stdout.write(
      listApplication(application)
        .map((id) => `${printable(id)}\n`)
        .join(''),
    );
    return 0;
  }
  if (values.show) {
    const shown = await showApplication(application);
    showObservations(shown.map(([id, seen]) => [id, maskObservation(seen)]));
    return 0;
  }
  const report = await playApplication(application);
  const masked = maskReport(report);
  if (values.accept !== undefined) {
    const list = [...(divergences ?? []).filter(({ id }) => id !== VARIES), ...toDivergences(report, masked)];
    writeFileSync(values.accept, `${JSON.stringify(list, null, 2)}\n`);
    console.error(`written to ${values.accept}: review it, and pass it with --divergences`);
  }
  return writeReport(masked, options);
}

async function playScenarios(options: Options): Promise<number> {
  const { values, concurrency, seed, shard: [shard, shards] = [1, 1] } = options;
  const names = [values.baseline, values.candidate] as const;
  const all = readCatalogue(values.scenarios === undefined ? undefined : resolve(values.scenarios));
  const selected = selectEntries(all, values);
  const isAll = selected.length === all.length && values.scenarios === undefined;
  if (selected.length === 0)
    throw new TypeError('no scenario matches the options; --list without them prints all ids');
  const implementations = names.map(runningNamed) as [Implementation, Implementation];
  // `majorOf` needs an installed package. `reference` and `corpus` are Express 5, and may not be installed.
  if (values.connection === 'own') implementations[1] = withOwnConnection(implementations[1]);
  const isMove =
    !['reference', RECORDED].includes(names[0]) &&
    majorOf(implementations[0]) === '4' &&
    majorOf(implementations[1]) === '5';
  if (isMove) implementations[1] = playsScenariosOf4(implementations[1]);
  const entries = selected.filter(
    (entry, index) =>
      index % shards === shard - 1 &&
      implementations.every((implementation) => implementationOf(implementation, entry.scenario.series)) &&
      (!names.includes(RECORDED) || isRecorded(entry)),
  );
  if (values.list) {
    process.stdout.write(entries.map(({ id }) => `${id}\n`).join(''));
    return 0;
  }
  if (values.show) {
    await showEntries(entries, implementationNamed(names[0]));
    return 0;
  }
  if (values.update) return update(selected, all, values);
  if (values.transport !== undefined || values.server !== undefined) return playTransports(entries, options);
  if (values.circumstance !== undefined)
    return playSurrounded(entries, circumstancesNamed(values.circumstance), implementations, options);
  const divergences = readDivergences(values.divergences);
  let failed = 0;
  const report = await runParity({
    observers: [
      observerOf(names[0], implementations[0], values),
      observerOf(names[1], implementations[1], values),
    ],
    isMove,
    ...(isAll && entries.length === all.length ? {} : { entries }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(seed === undefined ? {} : { seed }),
    ...(divergences ? { divergences } : {}),
    onVerdict({ state }, done, total) {
      if (state === 'different' || state === 'broken') failed++;
      showProgress({ done, total, failed, what: 'scenarios' });
    },
  });
  return writeReport(report, options);
}

/** Compares the candidate over each transport with the candidate over HTTP/1.1, or with the recordings. */
async function playTransports(entries: readonly Entry[], options: Options): Promise<number> {
  const { values, concurrency } = options;
  const transports = transportsNamed(values.transport ?? 'h1', values.server ?? 'listen');
  let failed = 0;
  const reports = await playMatrix({
    implementation: realmOf(candidateOf(values), values),
    transports,
    entries,
    ...(values.baseline === RECORDED
      ? { baseline: new Corpus(folderOf(values)), divergences: DIVERGENCES }
      : {}),
    ...(concurrency === undefined ? {} : { concurrency }),
    onVerdict({ state }, done, total) {
      if (state === 'different' || state === 'broken') failed++;
      showProgress({ done, total, failed, what: 'scenarios' });
    },
  });
  process.stdout.write(formatMatrix(reports));
  return reports.some(({ report }) => report.failed > 0) ? 1 : 0;
}

/** Compares the two implementations under each circumstance. */
async function playSurrounded(
  entries: readonly Entry[],
  circumstances: readonly string[],
  implementations: readonly [Implementation, Implementation],
  { values, concurrency }: Options,
): Promise<number> {
  const recorded = new Corpus(folderOf(values));
  const results = await playCircumstances({
    circumstances,
    entries,
    implementations,
    recorded,
    ...(concurrency === undefined ? {} : { concurrency }),
    onVerdict: (done) =>
      showProgress({ done, total: entries.length * circumstances.length, what: 'scenarios' }),
  });
  process.stdout.write(formatCircumstances(results));
  if (results.every(({ report }) => report.verdicts.length === 0))
    throw new TypeError('no scenario was compared; the reasons are above');
  return results.some(({ report }) => report.failed > 0) ? 1 : 0;
}

/** Records the baseline. It records whole sections, because each section is one file. */
async function update(selected: readonly Entry[], all: readonly Entry[], values: Values): Promise<number> {
  const sections = new Set(selected.filter(isRecorded).map(({ section }) => section));
  const folder = folderOf(values);
  const implementation = implementationNamed(values.baseline);
  for (const [section, text] of await record(
    all.filter(({ section }) => sections.has(section)),
    implementation,
  )) {
    writeSection(section, text, folder);
    console.log(`recorded ${section}`);
  }
  const options = values.recordings === undefined ? '' : ` --recordings ${folder}`;
  console.log(
    `recordings written to ${folder}; to compare with them, without Express installed: --baseline corpus${options}`,
  );
  return 0;
}

function observerOf(name: string, implementation: Implementation, values: Values): Observer {
  return name === RECORDED ? new Corpus(folderOf(values)) : new WorkerPool(realmOf(implementation, values));
}

/** Applies the option `--connection`. */
function candidateOf({ candidate, connection }: Values): Implementation {
  const implementation = implementationNamed(candidate);
  return connection === 'own' ? withOwnConnection(implementation) : implementation;
}

/** Applies the option `--realm`. */
function realmOf(implementation: Implementation, { realm }: Values): Implementation {
  return realm === 'vm' ? inRealm(implementation) : implementation;
}

/** Returns the implementation with this name. `corpus` stands for recordings of Express. */
function runningNamed(name: string): Implementation {
  return name === RECORDED ? REFERENCE : implementationNamed(name);
}

function folderOf({ recordings }: Values): string {
  return recordings === undefined ? CORPUS : resolve(recordings);
}

/**
 * Returns the implementation with this name, to run an application.
 *
 * @throws TypeError for `corpus`, which contains recorded scenarios only.
 */
function runnableNamed(name: string): Implementation {
  if (name === RECORDED)
    throw new TypeError(
      '"corpus" contains recorded scenarios only; to compare an application, name an implementation',
    );
  return implementationNamed(name);
}

/**
 * Writes the report to files or to standard output. If all reports go to files, standard output gets a summary.
 *
 * @returns The exit code: 0 equal, 1 different, 2 inconclusive.
 */
function writeReport(report: Report, { targets }: Options): number {
  for (const { reporter, file } of targets) {
    const text = REPORTERS[reporter](report);
    if (file === undefined) {
      process.stdout.write(reporter === 'terminal' ? coloured(text) : text);
      continue;
    }
    mkdirSync(dirname(resolve(file)), { recursive: true });
    writeFileSync(file, text);
    console.error(`written to ${file}`);
  }
  const isPrinted = targets.some(({ file }) => file === undefined);
  if (!isPrinted) {
    for (const note of [...notes(report), ...gain(report), leftUntested(report)])
      if (note !== undefined) console.log(printable(note));
    console.log(counted(report));
  }
  if (report.failed > 0) return 1;
  return leftUntested(report) === undefined ? 0 : 2;
}

function trafficOf({ har, requests, env, origin }: Values): Traffic {
  if (har !== undefined && requests === undefined) return readHar(har, origin);
  if (requests !== undefined && har === undefined)
    return readRequests(requests, { environment: env, origin });
  throw new TypeError('expected one source of requests: pass --har <file> or --requests <file>');
}
