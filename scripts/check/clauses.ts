// Checks that each testable clause of spec/clauses.json and spec/express4.json is proved three times: by a scenario that
// says what it expects, or a spec that `proves` it; by a scenario that parity compares; and by a recording of
// such a scenario in fixtures/. A step of `npm test`; needs a build.
//
//   npm run check -- clauses                  counts by section, and every missing proof
//   npm run check -- clauses --matrix      one line per clause: state, specs, scenarios, exchanges; separated by tabs
//
// spec/unshown.json lists clauses that no response and no log line can show; these only need a spec.
//
// Exit code 1 if
//   - a proof is missing
//   - a spec, a scenario or spec/unshown.json names an unknown clause
//   - spec/unshown.json lists a clause that has a scenario
//   - a `§` or a clause id in code or pages refers to no section of spec/framework.md or spec/logger.md
// Exit code 2 if the specs do not load, for example because a title contains the id of a clause.
import { join } from 'node:path';
import { readSection, recordedSections } from '../../parity/corpus/corpus';
import type { Har } from '../../parity/corpus/har';
import { hasExpectation } from '../../parity/judge/expectation';
import { readCatalogue } from '../../parity/scenario/catalogue';
import documented from '../../spec/clauses.json';
import ofExpress4 from '../../spec/express4.json';
import unshown from '../../spec/unshown.json';
import { runCommand } from '../command';
import { formatLine } from '../table';
import { brokenReferences } from './references';
import { readSpecProofs } from './spec-proofs';

interface Proof {
  /** For each test that proves the clause its file below spec/, and for each scenario that expects something its section. */
  readonly specs: string[];
  /** For each scenario that names the clause, its section. */
  readonly scenarios: string[];
  /** For each recorded scenario that names the clause, its section. */
  readonly recordings: string[];
  /** The number of recorded exchanges that show the clause. */
  exchanges: number;
}

type Clause = Pick<(typeof documented)[number], 'id' | 'clause' | 'reference'>;
type Kind = 'specs' | 'scenarios' | 'recordings';

const clauses: readonly Clause[] = [
  ...documented,
  ...ofExpress4.clauses.map(({ id, text }) => ({ id, clause: text, reference: 'same' })),
];
const root = join(__dirname, '..', '..');
const reasons = new Map(unshown.map(({ id, why }) => [id, why]));
const testable = clauses.filter(({ reference }) => reference !== 'untestable');
const proofs = new Map<string, Proof>(
  clauses.map(({ id }) => [id, { specs: [], scenarios: [], recordings: [], exchanges: 0 }]),
);
const unknown = new Set<string>();

runCommand({
  options: { matrix: { type: 'boolean', default: false } },
  run({ values }) {
    gather();
    if (values.matrix) printMatrix();
    else printTotals();
    const faults = [...unknown, ...staleReasons(), ...testable.flatMap(holesOf), ...brokenReferences(root)];
    for (const fault of faults) console.error(fault);
    return faults.length === 0;
  },
});

function gather(): void {
  for (const { spec, clauses: ids } of readSpecProofs(root)) {
    for (const id of ids) proofOf(id, spec)?.specs.push(spec);
  }
  for (const { section, scenario } of readCatalogue()) {
    for (const id of scenario.clauses) {
      proofOf(id, section)?.scenarios.push(section);
      if (hasExpectation(scenario)) proofOf(id, section)?.specs.push(section);
    }
  }
  for (const section of recordedSections()) {
    const { log } = JSON.parse(readSection(section) ?? '') as Har;
    for (const scenario of log._scenarios) {
      for (const id of scenario.clauses) proofOf(id, section)?.recordings.push(section);
    }
    for (const entry of log.entries) {
      for (const id of entry._clauses) (proofOf(id, section) ?? { exchanges: 0 }).exchanges++;
    }
  }
  for (const { id } of unshown) proofOf(id, 'spec/unshown.json');
}

function proofOf(id: string, place: string): Proof | undefined {
  const proof = proofs.get(id);
  if (!proof) unknown.add(`${place}: there is no clause ${id}`);
  return proof;
}

function has(kind: Kind, { id }: Pick<Clause, 'id'>): boolean {
  return (proofs.get(id)?.[kind].length ?? 0) > 0;
}

/** @returns The kinds of proof that a clause lacks. Clauses in spec/unshown.json only need a spec. */
function missingOf(clause: Clause): Kind[] {
  const expected: Kind[] = reasons.has(clause.id) ? ['specs'] : ['specs', 'scenarios', 'recordings'];
  return expected.filter((kind) => !has(kind, clause));
}

function holesOf(clause: Clause): string[] {
  const missing = missingOf(clause);
  return (
    missing
      // A clause without a scenario cannot have a recording, so report only the scenario.
      .filter((kind) => kind !== 'recordings' || !missing.includes('scenarios'))
      .map((kind) => `${clause.id} ${LACK[kind]}: ${clause.clause}`)
  );
}

const LACK: Readonly<Record<Kind, string>> = {
  specs: 'has no expectation: name it in a scenario with one, or before a spec with `proves`',
  scenarios: 'has no scenario: name it in one, or add it to spec/unshown.json with a reason',
  recordings: 'has no recording: npm run generate -- fixtures --record',
};

function staleReasons(): string[] {
  return unshown
    .filter((clause) => has('scenarios', clause))
    .map(({ id }) => `${id} has a scenario: remove it from spec/unshown.json`);
}

function printTotals(): void {
  const sections = new Map<string, Clause[]>();
  for (const clause of testable) {
    const section = clause.id.replace(/-?\d+$/, '');
    sections.set(section, [...(sections.get(section) ?? []), clause]);
  }
  printRow('section', 'clauses', 'specs', 'scenarios', 'recorded', 'exchanges');
  for (const [section, list] of sections) printFigures(section, list);
  printFigures('all', testable);
  for (const [id, why] of reasons) console.log(`${id} has no scenario: ${why}`);
}

function printFigures(name: string, list: readonly Clause[]): void {
  const counts = (['specs', 'scenarios', 'recordings'] as const).map(
    (kind) => list.filter((clause) => has(kind, clause)).length,
  );
  const exchanges = list.reduce((sum, { id }) => sum + (proofs.get(id)?.exchanges ?? 0), 0);
  printRow(name, list.length, ...counts, exchanges);
}

function printRow(...cells: ReadonlyArray<number | string>): void {
  console.log(formatLine(cells, [-7, 11, 11, 11, 11, 11]));
}

function printMatrix(): void {
  console.log(['clause', 'state', 'specs', 'scenarios', 'exchanges'].join('\t'));
  for (const clause of clauses) {
    const { specs = [], scenarios = [], exchanges = 0 } = proofs.get(clause.id) ?? {};
    const cells = [specs, scenarios].map((places) => [...new Set(places)].join(' ') || '-');
    console.log([clause.id, stateOf(clause), ...cells, exchanges].join('\t'));
  }
}

function stateOf(clause: Clause): string {
  if (clause.reference === 'untestable') return 'untestable';
  if (missingOf(clause).length > 0) return 'hole';
  return reasons.has(clause.id) ? 'unshown' : 'proved';
}
