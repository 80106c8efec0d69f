/** `npm run parity`: plays the scenarios in two worlds and explains what differs. */
import { parseArgs } from 'node:util';
import { readCatalogue } from './catalogue';
import { type ParityOptions, runParity } from './parity';
import { formatReport, progressLine, toJson } from './report';
import { selectEntries } from './select';
import { showEntries } from './show';
import { worldNamed } from './worlds';

const HELP = `Plays every scenario to two implementations and explains each difference.

  npm run parity -- [options]

  --section <text>     only sections whose path begins so: 4-response, 4-response/4.5, logger
  --clause <id>        only scenarios that name this clause, or one that begins so: F-4.5-75, L-2
  --grep <text>        only scenarios whose id holds this text
  --worlds <a,b>       the one that is right, the one that is judged; default reference,build
                       (also reference2, the reference once more, or two modules: express+nozomi/logger)
  --reporter <name>    terminal (default) or json
  --concurrency <n>    scenarios at a time
  --show               print what each scenario shows in the first world, and compare nothing
  --list               print the ids of what would be played
  --help

Exit code: 0 equal, 1 different, 2 could not run.
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      section: { type: 'string', multiple: true, default: [] },
      clause: { type: 'string', multiple: true, default: [] },
      grep: { type: 'string' },
      worlds: { type: 'string', default: 'reference,build' },
      reporter: { type: 'string', default: 'terminal' },
      concurrency: { type: 'string' },
      show: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (!['terminal', 'json'].includes(values.reporter)) {
    throw new TypeError(`--reporter: wanted terminal or json, got "${values.reporter}"`);
  }
  const [right, judged, ...more] = values.worlds.split(',').map(worldNamed);
  if (!right || !judged || more.length > 0)
    throw new TypeError(`--worlds: wanted two names, got "${values.worlds}"`);
  const all = readCatalogue();
  const entries = selectEntries(all, values);
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
    ...(entries.length < all.length ? { entries } : {}),
    ...(values.concurrency === undefined ? {} : { concurrency: Number(values.concurrency) }),
    ...(process.stderr.isTTY ? { onVerdict: (_verdict, done, total) => progressLine(done, total) } : {}),
  };
  const report = await runParity(options);
  process.stdout.write(values.reporter === 'json' ? toJson(report) : formatReport(report));
  return report.failed > 0 ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // An exit handler of each world ends its process.
  process.once(signal, () => process.exit(2));
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    console.error(`parity: ${error.message}`);
    process.exitCode = 2;
  },
);
