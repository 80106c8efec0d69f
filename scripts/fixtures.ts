// The recorded exchanges. Run it bare to replay them to the build, without the reference installed; with
// --record after a scenario or the reference has changed; with --check to see whether recording anew
// would change anything.
//
//   npm run fixtures -- [--record | --check] [--section <beginning>] [--reporter terminal|json]
//
// Exit code: 0 equal, 1 different, 2 could not run.
import { type Entry, readCatalogue } from '../parity/catalogue';
import {
  Corpus,
  isRecorded,
  readSection,
  record,
  recordedSections,
  removeSection,
  writeSection,
} from '../parity/corpus';
import type { Har } from '../parity/har';
import { Crew } from '../parity/observe';
import { type Report, runParity } from '../parity/parity';
import { formatReport, toJson } from '../parity/report';
import { selectEntries } from '../parity/select';
import { BUILD } from '../parity/worlds';
import { runCommand } from './command';

const REPORTERS = { terminal: formatReport, json: toJson };

runCommand({
  name: 'fixtures',
  file: __filename,
  options: {
    record: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    section: { type: 'string', multiple: true, default: [] },
    reporter: { type: 'string', default: 'terminal' },
  },
  async run({ values }) {
    const all = readCatalogue().filter(isRecorded);
    const entries = selectEntries(all, values);
    if (entries.length === 0) throw new TypeError(`--section: no section begins with ${values.section}`);
    if (values.record && values.check) throw new TypeError('wanted one of --record and --check, got both');
    if (!Object.hasOwn(REPORTERS, values.reporter))
      throw new TypeError(`--reporter: wanted terminal or json, got "${values.reporter}"`);
    if (values.record) return recordAll(entries, all);
    if (values.check) return checkAll(entries, all);
    const corpus = new Corpus();
    const report = await runParity({ witnesses: [corpus, new Crew(BUILD)], entries });
    return print(report, corpus.orphans(all), values.reporter as keyof typeof REPORTERS);
  },
});

async function recordAll(entries: readonly Entry[], all: readonly Entry[]): Promise<number> {
  let exchanges = 0;
  for (const [section, text] of await record(entries)) {
    exchanges += countExchanges(text);
    if (readSection(section) === text) continue;
    writeSection(section, text);
    console.log(`recorded ${section}`);
  }
  for (const section of lostSections(all)) {
    removeSection(section);
    console.log(`removed ${section}`);
  }
  console.log(`${entries.length} scenarios, ${exchanges} exchanges`);
  return 0;
}

async function checkAll(entries: readonly Entry[], all: readonly Entry[]): Promise<number> {
  const recorded = await record(entries);
  const changed = [...recorded].filter(([section, text]) => readSection(section) !== text);
  for (const [section, text] of changed)
    console.log(`${section}: ${firstDifference(readSection(section), text)}`);
  const lost = lostSections(all);
  for (const section of lost) console.log(`${section}: recorded, but no scenario is left`);
  console.log(`${recorded.size - changed.length} sections as recorded, ${changed.length + lost.length} not`);
  return changed.length + lost.length > 0 ? 1 : 0;
}

function print(report: Report, orphans: readonly string[], reporter: keyof typeof REPORTERS): number {
  for (const id of orphans) console.error(`recorded, but no longer asked for: ${id}`);
  process.stdout.write(REPORTERS[reporter](report));
  return report.failed + orphans.length > 0 ? 1 : 0;
}

function lostSections(all: readonly Entry[]): string[] {
  const known = new Set(all.map(({ section }) => section));
  return recordedSections().filter((section) => !known.has(section));
}

function firstDifference(before: string | undefined, after: string): string {
  if (before === undefined) return 'not recorded yet';
  const [old, young] = [before.split('\n'), after.split('\n')];
  const line = young.findIndex((text, index) => text !== old[index]);
  return line < 0
    ? 'shorter than recorded'
    : `line ${line + 1} was ${old[line]?.trim() ?? '(nothing)'} and is now ${young[line]?.trim()}`;
}

function countExchanges(text: string): number {
  return (JSON.parse(text) as Har).log.entries.length;
}
