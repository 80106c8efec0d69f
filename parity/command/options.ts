/** Parses and checks the command line of `nozomi-parity`. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GAP_KINDS, type GapKind } from '../judge/gap-kinds';

export const REPORTERS = ['terminal', 'json', 'junit', 'github', 'markdown', 'html'] as const;

/** A report and its destination: a file, or `undefined` for standard output. */
export interface Target {
  readonly reporter: (typeof REPORTERS)[number];
  readonly file: string | undefined;
}

export type Values = ReturnType<typeof parse>['values'];

export interface Options {
  readonly values: Values;
  /** The path of the application to compare; undefined for scenarios. */
  readonly application: string | undefined;
  /** The command-line arguments of the application: those after `--`. */
  readonly args: readonly string[];
  readonly targets: readonly Target[];
  readonly seed: number | undefined;
  readonly concurrency: number | undefined;
  /** Play only the kth of every n scenarios, counted from 1. */
  readonly shard: readonly [k: number, n: number] | undefined;
  readonly patience: number | undefined;
  readonly runs: number | undefined;
  readonly start: number | undefined;
  /** The kinds of gaps that the user allows by `--allow-…`. */
  readonly allowed: readonly GapKind[];
}

/** Options that cannot be combined with an application. */
const FOR_SCENARIOS =
  'scenarios section clause concurrency update recordings transport server circumstance connection realm shard'.split(
    ' ',
  );
/** Options that require an application. */
const FOR_APPLICATIONS = [
  ...'har requests env origin hermetic fresh patience runs time coverage start accept'.split(' '),
  ...GAP_KINDS.map((kind) => `allow-${kind}`),
];
/** An option for each kind of gap. */
const ALLOWED = Object.fromEntries(
  GAP_KINDS.map((kind) => [`allow-${kind}`, { type: 'boolean', default: false }]),
) as { [Kind in GapKind as `allow-${Kind}`]: { type: 'boolean'; default: false } };
/** The options of another command that it passes on to `nozomi-parity`: those with these names, and those that allow gaps. */
export function forwarded(names: readonly string[]) {
  const options = {
    ...Object.fromEntries(names.map((name) => [name, { type: 'string', multiple: true } as const])),
    ...ALLOWED,
  };
  return {
    options,
    /** The arguments for `nozomi-parity`. */
    argsOf(values: Readonly<Record<string, unknown>>): string[] {
      return Object.keys(options).flatMap((name) => {
        const value = values[name];
        if (Array.isArray(value)) return value.flatMap((one: string) => [`--${name}`, one]);
        return value === true ? [`--${name}`] : [];
      });
    },
  };
}

/** The default file of `--reporter html`. */
const PAGE = join('report', 'parity.html');

/**
 * Parses the arguments after the name of the command.
 *
 * @throws TypeError if an option is unknown, misplaced or has a wrong value, or if there are too many arguments.
 */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals, tokens } = parseOrExplain(args);
  const end = tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? args.length;
  const behind = args.slice(end + 1);
  const [application, ...more] = positionals.slice(0, positionals.length - behind.length);
  if (more.length > 0)
    throw new TypeError(`expected one application, got ${[application, ...more].join(' ')}`);
  if (application === undefined && behind.length > 0)
    throw new TypeError('arguments after "--" need an application, but none is given');

  if (values.realm !== undefined && values.realm !== 'vm')
    throw new TypeError(`--realm: expected vm, got "${values.realm}"`);
  if (values.connection !== undefined && values.connection !== 'own' && values.connection !== 'node')
    throw new TypeError(`--connection: expected own or node, got "${values.connection}"`);
  const misplaced = (application === undefined ? FOR_APPLICATIONS : FOR_SCENARIOS).filter((name) =>
    tokens.some((token) => token.kind === 'option' && token.name === name),
  );
  if (misplaced.length > 0) {
    const why =
      application === undefined ? 'needs an application, but none is given' : 'applies to scenarios only';
    throw new TypeError(`--${misplaced[0]} ${why}; see --help`);
  }
  if (values.time && values.fresh !== undefined)
    throw new TypeError('--time: cannot be combined with --fresh; three processes run at the same time');
  return {
    values,
    application,
    args: behind,
    targets: targetsOf(values),
    seed: values.seed === 'random' ? Math.floor(Math.random() * 2 ** 31) : count('seed', values.seed, 0),
    concurrency: count('concurrency', values.concurrency, 1),
    shard: shardOf(values.shard),
    patience: count('patience', values.patience, 1),
    runs: count('runs', values.runs, 1),
    start: count('start', values.start, 1),
    allowed: GAP_KINDS.filter((kind) => values[`allow-${kind}`]),
  };
}

function targetsOf({ reporter, output }: Values): Target[] {
  if (output !== undefined && reporter.length > 1)
    throw new TypeError('--output names one file; with several reporters use --reporter html=<file>');
  return reporter.map((asked) => {
    const [, name = '', given] = /^([^=]*)=?(.*)$/s.exec(asked) ?? [];
    const known = REPORTERS.find((one) => one === name);
    if (!known) throw new TypeError(`--reporter: expected one of ${REPORTERS.join(', ')}, got "${name}"`);
    return { reporter: known, file: given || output || (known === 'html' ? PAGE : undefined) };
  });
}

function count(name: string, value: string | undefined, least: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() !== '' && Number.isSafeInteger(number) && number >= least) return number;
  throw new TypeError(`--${name}: expected a whole number from ${least}, got "${value}"`);
}

function shardOf(value: string | undefined): [k: number, n: number] | undefined {
  if (value === undefined) return undefined;
  const [k = 0, n = 0] = (/^(\d+)\/(\d+)$/.exec(value) ?? []).slice(1).map(Number);
  if (k >= 1 && k <= n) return [k, n];
  throw new TypeError(`--shard: expected a part such as 1/3, got "${value}"`);
}

function parseOrExplain(args: readonly string[]): ReturnType<typeof parse> {
  try {
    return parse(args);
  } catch (error) {
    // Keep the first sentence of Node.js's message. The second explains how to pass `--x` as a positional argument.
    throw new TypeError(`${(error as Error).message.split('. ', 1)}; --help lists all options`);
  }
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    tokens: true,
    options: {
      scenarios: { type: 'string' },
      section: { type: 'string', multiple: true, default: [] },
      clause: { type: 'string', multiple: true, default: [] },
      grep: { type: 'string' },
      baseline: { type: 'string', default: 'reference' },
      candidate: { type: 'string', default: 'build' },
      divergences: { type: 'string' },
      reporter: { type: 'string', multiple: true, default: ['terminal'] },
      output: { type: 'string' },
      concurrency: { type: 'string' },
      seed: { type: 'string' },
      show: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      update: { type: 'boolean', default: false },
      recordings: { type: 'string' },
      har: { type: 'string' },
      hermetic: { type: 'string' },
      requests: { type: 'string' },
      env: { type: 'string' },
      origin: { type: 'string' },
      fresh: { type: 'string' },
      only: { type: 'string', multiple: true, default: [] },
      patience: { type: 'string' },
      runs: { type: 'string' },
      time: { type: 'boolean', default: false },
      coverage: { type: 'boolean', default: false },
      start: { type: 'string' },
      accept: { type: 'string' },
      transport: { type: 'string' },
      server: { type: 'string' },
      circumstance: { type: 'string' },
      connection: { type: 'string' },
      realm: { type: 'string' },
      shard: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
      ...ALLOWED,
    },
  });
}
