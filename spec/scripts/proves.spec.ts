import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Suite, Test } from 'mocha';
import { idsOf } from '../support/proves';

describe('proves', () => {
  it('attaches its ids to the next test, or to all tests of the next suite', () => {
    proves('F-1-47 E4-C7');
    const suite = Suite.create(new Suite(''), 'a suite');
    const first = new Test('one test', () => {});
    const second = new Test('another test', () => {});
    proves('CVE-2024-43796');
    suite.addTest(first).addTest(second);

    expect(idsOf(first)).to.deep.equal(['F-1-47', 'E4-C7', 'CVE-2024-43796']);
    expect(idsOf(second)).to.deep.equal(['F-1-47', 'E4-C7']);
  });

  it('stands before an it or a describe in every spec', () => {
    const folder = join(__dirname, '..');
    const calls = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.spec.ts') && !file.endsWith('proves.spec.ts'))
      .flatMap((file) =>
        [...readFileSync(join(folder, file), 'utf8').matchAll(/\bproves\([^;]*\);\s+(.*)/g)].map(
          ([, following = '']) => `${file}: ${following}`,
        ),
      );

    expect(calls).to.have.length.above(200);
    expect(calls.filter((call) => !/: (?:it|describe)\(/.test(call))).to.deep.equal([]);
  });

  it('throws if no test follows, for text that is no list of ids, and for an id in a title', () => {
    const suite = new Suite('');
    proves('F-1-47');
    expect(() => proves('F-1-48')).to.throw(TypeError, 'no it() or describe() follows');
    suite.addTest(new Test('one test', () => {}));

    for (const ids of ['', 'F-1', 'F-1-47, F-1-48', 'F-1-47…49'])
      expect(() => proves(ids), ids).to.throw(TypeError, `expected ids separated by spaces, got "${ids}"`);
    for (const id of ['L-2.4-26', 'E4-C7', 'CVE-2024-43796', 'GHSA-w65r-fqv6-q6w9'])
      expect(() => suite.addTest(new Test(`a sentence [${id}]`)), id).to.throw(TypeError, `proves('${id}')`);
  });
});
