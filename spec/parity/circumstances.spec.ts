/** The option `--circumstance`: its names, which scenarios are played, and what counts as a failure of Express. */
import { expect } from 'chai';
import { playCircumstances } from '../../parity/circumstance-matrix';
import { CIRCUMSTANCES, circumstancesNamed } from '../../parity/circumstances';
import { BUILD, REFERENCE } from '../../parity/implementations/implementations';
import type { Implementation } from '../../parity/implementations/protocol';
import type { Surrounded } from '../../parity/report/circumstances';
import { readCatalogue } from '../../parity/scenario/catalogue';
import { runNode } from '../support/command';

/** Plays the scenarios of a section whose names begin with a text. */
async function play(
  circumstance: string,
  section: string,
  start: string,
  implementations?: readonly [Implementation, Implementation],
): Promise<Surrounded> {
  const entries = readCatalogue().filter(
    (entry) => entry.section === section && entry.scenario.name.startsWith(start),
  );
  const [result] = await playCircumstances({
    circumstances: [circumstance],
    entries,
    ...(implementations && { implementations }),
  });
  return result as Surrounded;
}

describe('circumstancesNamed()', () => {
  it('returns all names for "all", and the given ones otherwise', () => {
    expect(circumstancesNamed('all')).to.deep.equal(Object.keys(CIRCUMSTANCES));
    expect(circumstancesNamed('wrapped,left-now')).to.deep.equal(['wrapped', 'left-now']);
  });

  it('throws for an unknown name', () => {
    expect(() => circumstancesNamed('wrapped,unknown')).to.throw(
      TypeError,
      '--circumstance: expected all or some of handmade, wrapped',
    );
  });
});

describe('playCircumstances()', () => {
  it('reports a candidate that differs under the circumstance', async () => {
    // The candidate is Express, too, but does not send the name that is expected of it.
    const other = { ...REFERENCE, identity: 'Other' };
    const { report, failing } = await play('wrapped', '2-resources/2.7-response', 'res.locals lasts', [
      REFERENCE,
      other,
    ]);

    expect([report.failed, failing.size]).to.deep.equal([1, 0]);
  });

  it('reports what Express itself cannot do as a failure of Express', async () => {
    const { report, failing } = await play(
      'frozen-after',
      '9-express4/d-settings',
      '`query parser`: `extended`',
    );

    expect([...failing.values()]).to.deep.equal(['Express responds 500']);
    expect(report.verdicts).to.deep.equal([]);
  });

  it('names the reason why a scenario is not played', async () => {
    const { report, skipped } = await play('left-now', '2-resources/2.11-static', 'express.static', [
      REFERENCE,
      BUILD,
    ]);

    expect([...skipped.keys()]).to.include('files, which are read while the next request arrives');
    expect(report.verdicts).to.deep.equal([]);
  });
});

describe('nozomi-parity --circumstance', () => {
  it('exits with 2 if no scenario was compared, and prints the reasons', async () => {
    // biome-ignore format: a table
    const { code, output, errors } = await runNode([
      '--require', 'tsx/cjs', 'parity/command/run.ts', '--circumstance', 'left-now', '--section', '2-resources/2.11-static',
      '--grep', 'express.static',
    ]);

    expect([code, errors.trim().split('\n').at(-1)]).to.deep.equal([
      2,
      'parity: no scenario was compared; the reasons are above',
    ]);
    expect(output).to.include('Not played:\n').and.include('0 passed, 0 failed');
  });
});
