/** `nozomi parity` and `npm run parity`: scenarios or somebody's application, played in two worlds. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { playApplication } from './application/application';
import { readHar, readRequests, type Traffic } from './application/traffic';
import { readCatalogue } from './catalogue';
import { HELP } from './help';
import { toHtml } from './html/html';
import { toJunit } from './junit';
import { type ParityOptions, type Report, runParity } from './parity';
import { formatReport, progressLine, toJson } from './report';
import { selectEntries } from './select';
import { showEntries } from './show';
import { worldNamed, worldOf } from './worlds';

const REPORTERS = { terminal: formatReport, json: toJson, junit: toJunit, html: toHtml };

type Values = ReturnType<typeof parse>['values'];

/**
 * @param args What follows the name of the command.
 * @returns The exit code: 0 equal, 1 different, 2 could not run.
 */
export async function parity(args: readonly string[]): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // An exit handler ends the processes of the worlds.
    process.once(signal, () => process.exit(2));
  }
  try {
    return await run(args);
  } catch (error) {
    console.error(`parity: ${(error as Error).message}`);
    return 2;
  }
}

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (!Object.hasOwn(REPORTERS, values.reporter)) {
    const known = Object.keys(REPORTERS).join(', ');
    throw new TypeError(`--reporter: wanted one of ${known}, got "${values.reporter}"`);
  }
  const [file, ...more] = positionals;
  if (more.length > 0) throw new TypeError(`wanted one application, got ${positionals.join(' ')}`);
  if (file !== undefined) return tell(await playApplication({ file, traffic: trafficOf(values) }), values);
  return playScenarios(values);
}

async function playScenarios(values: Values): Promise<number> {
  const [right, judged, ...more] = values.worlds.split(',').map(worldNamed);
  if (!right || !judged || more.length > 0)
    throw new TypeError(`--worlds: wanted two names, got "${values.worlds}"`);
  const all = readCatalogue(values.scenarios === undefined ? undefined : resolve(values.scenarios));
  const entries = selectEntries(all, values).filter(({ scenario: { series } }) => {
    return worldOf(right, series) && worldOf(judged, series);
  });
  const isAll = entries.length === all.length && values.scenarios === undefined;
  if (entries.length === 0) throw new TypeError('no scenario is named so; --list prints them all');
  if (values.list) {
    process.stdout.write(entries.map(({ id }) => `${id}\n`).join(''));
    return 0;
  }
  if (values.show) {
    await showEntries(entries, right);
    return 0;
  }
  const options: ParityOptions = {
    worlds: [right, judged],
    ...(isAll ? {} : { entries }),
    ...(values.concurrency === undefined ? {} : { concurrency: Number(values.concurrency) }),
    ...(process.stderr.isTTY ? { onVerdict: (_verdict, done, total) => progressLine(done, total) } : {}),
  };
  return tell(await runParity(options), values);
}

/** To the file that is named, else to standard output; a page always goes to a file. */
function tell(report: Report, { reporter, output }: Values): number {
  const text = REPORTERS[reporter as keyof typeof REPORTERS](report);
  const file = output ?? (reporter === 'html' ? join('report', 'parity.html') : undefined);
  if (file === undefined) {
    process.stdout.write(text);
  } else {
    mkdirSync(dirname(resolve(file)), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`written to ${file}\n${report.passed} passed, ${report.failed} failed\n`);
  }
  return report.failed > 0 ? 1 : 0;
}

function trafficOf({ har, requests, origin }: Values): Traffic {
  if (har !== undefined && requests === undefined) return readHar(har, origin);
  if (requests !== undefined && har === undefined) return readRequests(requests);
  throw new TypeError(
    'an application is asked what --har <file> or --requests <file> holds: give one of them',
  );
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      scenarios: { type: 'string' },
      section: { type: 'string', multiple: true, default: [] },
      clause: { type: 'string', multiple: true, default: [] },
      grep: { type: 'string' },
      worlds: { type: 'string', default: 'reference,build' },
      reporter: { type: 'string', default: 'terminal' },
      output: { type: 'string' },
      concurrency: { type: 'string' },
      show: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      har: { type: 'string' },
      requests: { type: 'string' },
      origin: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
}
