// Tests `nozomi-parity` with recordings of six small applications: sessions, REST with signed tokens, GraphQL, files, RPC
// and streams. The command records them itself, with its defaults, and replays each recording in three ways:
//
// - forks: the candidate has one visible change. It must be found, at its request and place
// - clean runs: nothing is changed. No difference may be reported, and nothing may be left uncompared
// - accidents: with Express and with Nozomi a login fails, the database is busy, the process ends, an error is not caught, a
//   connection is dropped, or another application listens. No such run may count as equal
//
//   npm run check -- planted                 everything: 72 forks, 60 clean runs, 36 accidents; takes about half an hour
//   npm run check -- planted --sample        a fork of three applications, a clean run and two accidents
//   npm run check -- planted rest web        only these applications
//   npm run check -- planted --grep token    only the forks with this text in their name, and nothing else
//
// Exit code: 0 if 58 of 60 forks are found and 56 of 60 at their places, no clean run raises an alarm and no accident is
// called equal; otherwise 1.
import { join } from 'node:path';
import { each } from '../../parity/each';
import { freePort } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';
import { type Ended, record, reportTo, runParity } from '../applications/compare';
import { runCommand, toNames } from '../command';
import { formatLine } from '../table';
import { ACCIDENTS, FORKS } from './forks';

const HOME = join(__dirname, 'applications');
const CANDIDATE = join(__dirname, 'candidate');
/** The clean runs of each application. */
const CLEAN = 10;
/** The parts of the forks that must be found, and found at their places. */
const [FOUND, PLACED] = [58 / 60, 56 / 60];
/** Milliseconds to read a stream that never ends. */
const PATIENCE = '1500';

interface Case {
  readonly application: string;
  readonly kind: 'fork' | 'clean' | 'accident';
  readonly name: string;
}

interface Result extends Case {
  /** Whether the verdict is right. */
  readonly isGood: boolean;
  /** Whether the difference of a fork is at its request and place. */
  readonly isPlaced: boolean;
  readonly ended: Ended;
}

interface Verdict {
  readonly id: string;
  readonly differences: ReadonlyArray<{ readonly place: string }>;
}

runCommand({
  allowPositionals: true,
  options: {
    sample: { type: 'boolean', default: false },
    grep: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
  async run({ values: { sample, grep, verbose }, positionals }) {
    toNames(positionals, Object.keys(FORKS));
    const chosen = positionals.length > 0 ? positionals : Object.keys(FORKS);
    const cases = chosen.flatMap(casesOf).filter((one) => isChosen(one, sample, grep));
    const recordings = new Map<string, string>();
    for (const name of new Set(cases.map(({ application }) => application)))
      recordings.set(name, await recordApplication(name));
    const results: Result[] = [];
    await each([...cases.entries()], 2, async ([index, given]) => {
      const one = await judge(given, recordings.get(given.application) ?? '');
      results[index] = one;
      if (one.isGood && one.isPlaced && !verbose) return;
      console.log(
        `${one.isGood ? '≈' : '✗'} ${one.application}, ${one.kind} ${one.name}: exit code ${one.ended.status}`,
      );
      if (!one.isGood || verbose) console.log((one.ended.stdout + one.ended.stderr).slice(-3000));
    });
    console.log(tableOf(chosen, results));
    const forks = results.filter(({ kind }) => kind === 'fork');
    const others = results.filter(({ kind }) => kind !== 'fork');
    const part = (good: number): number => (forks.length === 0 ? 1 : good / forks.length);
    return (
      others.every(({ isGood }) => isGood) &&
      part(forks.filter(({ isGood }) => isGood).length) >= FOUND &&
      part(forks.filter(({ isPlaced }) => isPlaced).length) >= PLACED
    );
  },
});

function casesOf(application: string): Case[] {
  const of = (kind: Case['kind'], names: readonly string[]): Case[] =>
    names.map((name) => ({ application, kind, name }));
  return [
    ...of('fork', Object.keys(FORKS[application] ?? {})),
    ...of(
      'clean',
      Array.from({ length: CLEAN }, (_, index) => String(index + 1)),
    ),
    ...of('accident', ACCIDENTS),
  ];
}

/** The cases of `--sample`. */
const SAMPLE = [
  'web fork another target',
  'graphql fork another text',
  'rpc fork the id as text',
  'rest clean 1',
  'rpc accident login',
  'web accident busy',
];

function isChosen({ application, kind, name }: Case, isSample: boolean, grep: string | undefined): boolean {
  if (isSample) return SAMPLE.includes(`${application} ${kind} ${name}`);
  return grep === undefined || (kind === 'fork' && name.includes(grep));
}

/** Records an application with the defaults of the command. Returns the path of the recording. */
async function recordApplication(name: string): Promise<string> {
  const file = join(temporaryFolder('planted'), 'traffic.har');
  const visit = require(join(HOME, `${name}.visit.js`)) as (ask: Ask, origin: string) => Promise<void>;
  const { output } = await record(HOME, [`${name}.js`, '-o', file], await freePort(), {}, (origin) =>
    visit(clientOf(origin), origin),
  );
  console.log(`${name}: ${output.trim().replaceAll('\n', ';')}`);
  return file;
}

async function judge({ application, kind, name }: Case, recording: string): Promise<Result> {
  const file = join(temporaryFolder('planted'), 'report.json');
  const ended = await runParity(
    HOME,
    // biome-ignore format: a table
    [
      `${application}.js`, '--har', recording, '--patience', PATIENCE, '--runs', '3', '--candidate', CANDIDATE,
      ...reportTo(file, 'json'),
    ],
    {
      env: {
        ...process.env,
        ...(kind === 'fork' && { FORK: name }),
        ...(kind === 'accident' && { ACCIDENT: name }),
      },
    },
  );
  const { status } = ended;
  const one = { application, kind, name, ended };
  if (kind === 'clean') return { ...one, isGood: status === 0, isPlaced: true };
  if (kind === 'accident') return { ...one, isGood: status !== 0, isPlaced: true };
  const [request = '', place = ''] = FORKS[application]?.[name] ?? [];
  const verdicts = status === 1 ? (require(file) as { verdicts: readonly Verdict[] }).verdicts : [];
  const isPlaced = verdicts.some(
    ({ id, differences }) =>
      id.includes(request) &&
      differences.some((difference) => difference.place.replace(/^\d+\./, '') === place),
  );
  return { ...one, isGood: status === 1, isPlaced };
}

function tableOf(applications: readonly string[], results: readonly Result[]): string {
  const rows = [...applications, 'all'].map((name) => {
    const of = (kind: Case['kind']): Result[] =>
      results.filter((one) => one.kind === kind && (name === 'all' || one.application === name));
    const good = (list: readonly Result[]): string =>
      `${list.filter(({ isGood }) => isGood).length} of ${list.length}`;
    const forks = of('fork');
    return [
      name,
      good(forks),
      `${forks.filter(({ isPlaced }) => isPlaced).length} of ${forks.length}`,
      good(of('clean')),
      good(of('accident')),
    ];
  });
  const head = ['application', 'forks found', 'at their place', 'clean runs equal', 'accidents not equal'];
  return [head, ...rows].map((row) => formatLine(row, [-12, 14, 17, 19, 22])).join('\n');
}

interface Asked {
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly form?: Record<string, string>;
  readonly body?: NonNullable<RequestInit['body']>;
}
type Ask = (
  method: string,
  path: string,
  asked?: Asked,
) => Promise<{ text: string; data: unknown; headers: Headers }>;

/** Returns a client that keeps the cookies of an application, as a browser does. */
function clientOf(origin: string): Ask {
  const cookies = new Map<string, string>();
  return async (method, path, { headers = {}, json, form, body } = {}) => {
    const sent = new Headers(headers);
    if (cookies.size > 0) sent.set('Cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
    if (json !== undefined) sent.set('Content-Type', 'application/json');
    const payload = json === undefined ? (form ? new URLSearchParams(form) : body) : JSON.stringify(json);
    const response = await fetch(origin + path, {
      method,
      headers: sent,
      redirect: 'manual',
      ...(payload !== undefined && { body: payload }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    return {
      text,
      data: /^application\/json/.test(response.headers.get('Content-Type') ?? '')
        ? JSON.parse(text)
        : undefined,
      headers: response.headers,
    };
  };
}
