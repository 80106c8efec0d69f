import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { applyFault, TYPE_FAULTS } from '../../scripts/mutate/faults';

describe('the seeded faults of types', () => {
  it('name code that occurs exactly once', () => {
    expect(TYPE_FAULTS).to.have.length.above(40);
    for (const fault of TYPE_FAULTS) {
      const text = readFileSync(join(__dirname, '..', '..', 'src', fault.file), 'utf8');
      expect(applyFault(text, fault), fault.name).to.not.equal(text);
    }
  });
});
