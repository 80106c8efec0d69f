// The recorded exchanges in fixtures/, one HAR file for each section.
//
//   npm run fixtures                    checks every file against its schema and the index, then replays the
//                                       exchanges to this build; the reference need not be installed
//   npm run fixtures -- --check         asks the reference again and tells what it would answer differently today
//   npm run fixtures -- --record        records again, after a scenario or the reference has changed
//   npm run fixtures -- --index         writes fixtures/index.json anew and nothing else, after a merge
//
//   --section <beginning>               only sections whose path begins so: 4-endpoints, logger; may be repeated
//   --reporter <terminal | json>        how a replay tells of differences
//
// Exit code: 0 equal, 1 different, 2 could not run.

import {
  Corpus,
  isRecorded,
  readSection,
  record,
  recordedSections,
  removeSection,
  writeSection,
} from '../parity/corpus/corpus';
import type { Har } from '../parity/corpus/har';
import { BUILD } from '../parity/implementations/implementations';
import { Crew } from '../parity/implementations/observe';
import { runParity } from '../parity/parity';
import { formatReport, toJson } from '../parity/report/terminal';
import { type Entry, readCatalogue } from '../parity/scenario/catalogue';
import { selectEntries } from '../parity/scenario/select';
import { runCommand } from './command';
import { describeChange } from './fixtures/again';
import { writeIndex } from './fixtures/describe';
import { verifyCorpus } from './fixtures/verify';

const REPORTERS = { terminal: formatReport, json: toJson };

runCommand({
  name: 'fixtures',
  file: __filename,
  options: {
    check: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    index: { type: 'boolean', default: false },
    section: { type: 'string', multiple: true, default: [] },
    reporter: { type: 'string', default: 'terminal' },
  },
  async run({ values }) {
    const all = readCatalogue().filter(isRecorded);
    const entries = selectEntries(all, values);
    if (entries.length === 0)
      throw new TypeError(`--section: no section begins with ${values.section.join(', ')}`);
    if (!Object.hasOwn(REPORTERS, values.reporter))
      throw new TypeError(`--reporter: wanted terminal or json, got "${values.reporter}"`);
    const asked = (['check', 'record', 'index'] as const).filter((name) => values[name]);
    if (asked.length > 1)
      throw new TypeError(`wanted one of --check, --record and --index, got --${asked.join(', --')}`);
    if (values.index) writeIndex();
    else if (values.record) await recordAll(entries, all);
    else if (values.check) return checkAll(entries, all);
    else return replay(entries, all, values.reporter as keyof typeof REPORTERS);
    return true;
  },
});

async function replay(
  entries: readonly Entry[],
  all: readonly Entry[],
  reporter: keyof typeof REPORTERS,
): Promise<boolean> {
  const corpus = new Corpus();
  const report = await runParity({ witnesses: [corpus, new Crew(BUILD)], entries });
  const orphans = corpus.orphans(all).map((id) => `recorded, but no longer asked for: ${id}`);
  const faults = [...verifyCorpus(), ...orphans];
  for (const fault of faults) console.error(fault);
  process.stdout.write(REPORTERS[reporter](report));
  return report.failed + faults.length === 0;
}

async function recordAll(entries: readonly Entry[], all: readonly Entry[]): Promise<void> {
  let exchanges = 0;
  for (const [section, text] of await record(entries)) {
    exchanges += (JSON.parse(text) as Har).log.entries.length;
    if (readSection(section) === text) continue;
    writeSection(section, text);
    console.log(`recorded ${section}`);
  }
  for (const section of lostSections(all)) {
    removeSection(section);
    console.log(`removed ${section}`);
  }
  writeIndex();
  console.log(`${entries.length} scenarios, ${exchanges} exchanges`);
}

async function checkAll(entries: readonly Entry[], all: readonly Entry[]): Promise<boolean> {
  const recorded = await record(entries);
  let changed = 0;
  for (const [section, text] of recorded) {
    const changes = describeChange(readSection(section), text);
    for (const change of changes) console.log(`✗ ${section}: ${change}`);
    if (changes.length > 0) changed++;
  }
  const lost = lostSections(all);
  for (const section of lost) console.log(`✗ ${section}: recorded, but no scenario is left`);
  console.log(
    `${recorded.size - changed} sections would be recorded as they are, ${changed + lost.length} would not`,
  );
  return changed + lost.length === 0;
}

function lostSections(all: readonly Entry[]): string[] {
  const known = new Set(all.map(({ section }) => section));
  return recordedSections().filter((section) => !known.has(section));
}
