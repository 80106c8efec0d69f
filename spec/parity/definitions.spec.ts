import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { get, raw, request } from '../../parity/client/request';
import { DIVERGENCES } from '../../parity/divergences';
import { PROGRAM_DIVERGENCES } from '../../parity/divergences/programs';
import { RUNTIME_DIVERGENCES } from '../../parity/divergences/runtimes';
import { TRANSPORT_DIVERGENCES } from '../../parity/divergences/transports';
import { readCatalogue } from '../../parity/scenario/catalogue';
import { type ScenarioDefinition, scenario } from '../../parity/scenario/scenario';
import { selectEntries } from '../../parity/scenario/select';
import { temporaryFolder } from '../../parity/temporary-folder';
import clauses from '../clauses.json';
import ofExpress4 from '../express4.json';

const good: ScenarioDefinition = {
  name: 'a name',
  clauses: ['F-1-01'],
  build: ({ framework }) => framework(),
  requests: [get('/')],
};

describe('parity: definitions of scenarios', () => {
  for (const [what, change, message] of [
    ['no name', { name: ' ' }, /name must be a sentence, got " "/],
    ['clauses that are no list', { clauses: 'F-1-01' }, /clauses must be a list, got "F-1-01"/],
    [
      'a clause that is none',
      { clauses: ['4.5'] },
      /scenario\("a name"\): a clause looks like "F-4.5-12", got "4.5"/,
    ],
    ['a clause named twice', { clauses: ['F-1-01', 'F-1-01'] }, /each clause must be named once only/],
    ['no requests', { requests: [] }, /requests must have at least one/],
    ['a request that is none', { requests: ['/'] }, /a result of get\(\), post\(\), raw\(\)/],
    ['no build', { build: undefined }, /build must be a function, got undefined/],
    ['a member that is unknown', { clause: 'F-1-01' }, /the known members are name, clauses/],
  ] as const) {
    it(`throws for a scenario with ${what}`, () => {
      expect(() => scenario({ ...good, ...change } as never)).to.throw(TypeError, message);
    });
  }

  it('throws an error that names raw() for an invalid target or method', () => {
    expect(() => get('api')).to.throw(
      TypeError,
      'target must start with "/" and contain no space, got "api"',
    );
    expect(() => get('/a b')).to.throw(TypeError, 'use raw() for other targets');
    expect(() => request('GE T', '/')).to.throw(TypeError, 'method must be an HTTP token, got "GE T"');
    expect(raw('GE T\r\n\r\n').method).to.equal('GE');
  });

  for (const [what, text, message] of [
    [
      'has no list',
      'exports.default = {}',
      /broken: the default export must be a list of scenario\(\) results/,
    ],
    ['has something else in its list', 'exports.default = [{}]', /broken: the default export must be a list/],
    [
      'uses a name twice',
      "const one = { kind: 'scenario', name: 'same' }; exports.default = [one, one]",
      /broken: each scenario must have a unique name, got "same" twice/,
    ],
  ] as const) {
    it(`throws for a file that ${what}`, () => {
      const folder = temporaryFolder('scenarios');
      writeFileSync(join(folder, 'broken.js'), text);

      expect(() => readCatalogue(folder)).to.throw(TypeError, message);
    });
  }
});

describe('parity: the catalogue of scenarios', () => {
  const entries = readCatalogue();

  it('has at least one clause in each scenario, and only existing clauses', () => {
    const known = new Set([...clauses, ...ofExpress4.clauses].map(({ id }) => id));

    expect(entries.filter(({ scenario }) => scenario.clauses.length === 0)).to.deep.equal([]);
    expect(
      entries.flatMap(({ scenario: { clauses: named } }) => named.filter((id) => !known.has(id))),
    ).to.deep.equal([]);
  });

  it('has the scenarios of all divergences, with a clause of the divergence', () => {
    for (const { id, clauses: diverging, scenarios } of DIVERGENCES) {
      for (const name of Object.keys(scenarios)) {
        const entry = entries.find((one) => one.id === name);
        expect(entry?.scenario.clauses, `${id}: ${name}`).to.include.oneOf([...diverging]);
      }
    }
  });

  it('has the scenarios of the differences of transports and runtimes', () => {
    for (const { id, scenarios } of [...TRANSPORT_DIVERGENCES, ...RUNTIME_DIVERGENCES]) {
      for (const name of scenarios) {
        const begins = (one: { readonly id: string }): boolean => one.id.startsWith(name.replace(/\*$/, ''));
        expect(entries.some(begins), `${id}: ${name}`).to.equal(true);
      }
    }
  });

  it('gives a reason for each difference of random applications, its own or that of a divergence', () => {
    for (const { id, why } of PROGRAM_DIVERGENCES)
      expect(why !== undefined, id).to.equal(!DIVERGENCES.some((one) => one.id === id));
  });

  it('declares a divergence only for clauses that follow the specification, or for which a standard requires one', () => {
    const following = clauses.filter(({ follow, section }: { follow?: string; section: string }) => {
      return follow === 'document' && section !== '9.3';
    });

    const byDocument = DIVERGENCES.filter(({ standard }) => standard === undefined);
    const declared = byDocument.flatMap(({ clauses: diverging }) => diverging);
    // Section 9.3 (Express 3) is excluded: it declares divergences for clauses without `follow`, and F-9.3-34 has none.
    expect(declared.filter((id) => !id.startsWith('F-9.3-')).sort()).to.deep.equal(
      following.map(({ id }) => id).sort(),
    );
  });

  it('is selected by section, clause and text', () => {
    const ids = (selection: Parameters<typeof selectEntries>[1]): string[] => {
      return selectEntries(entries, selection).map(({ id }) => id);
    };

    expect(ids({})).to.have.lengthOf(entries.length);
    expect(ids({ section: ['6-events'] })).to.deep.equal(
      entries.filter(({ section }) => section.startsWith('6-')).map(({ id }) => id),
    );
    expect(ids({ clause: ['F-4.5-7'] })).to.deep.equal([]);
    expect(ids({ clause: ['F-6'], grep: 'emits mount' })).to.have.lengthOf(1);
    expect(ids({ clause: ['E4-J'] })).to.have.lengthOf(4);
    expect(ids({ clause: ['E4-J1'] })).to.have.lengthOf(1);
    for (const entry of selectEntries(entries, { clause: ['L-2.4'] })) {
      expect(entry.scenario.clauses.some((id) => id.startsWith('L-2.4-'))).to.equal(true);
    }
  });
});
