import { expect } from 'chai';
import { VARIES } from '../../parity/divergences';
import { REFERENCE } from '../../parity/implementations/implementations';
import type { Verdict } from '../../parity/judge/judge';
import type { Report } from '../../parity/judge/report';
import { runParity } from '../../parity/parity';
import { toHtml } from '../../parity/report/html/html';
import { rawDiff } from '../../parity/report/html/raw-diff';
import { toJunit } from '../../parity/report/junit';
import { ENTRIES, FAULTY } from './faulty/implementations';
import { EQUAL } from './faulty/scenarios';

const NAMES = ['faulty: a field is lost', `faulty: ${EQUAL[0]}`];

describe('parity: reporters', () => {
  let report: Report;

  before(async () => {
    const entries = ENTRIES.filter(({ id }) => NAMES.includes(id));
    report = await runParity({ implementations: [REFERENCE, FAULTY], entries });
  });

  it('write failures with both values to JUnit XML', () => {
    const xml = toJunit(report);

    expect(xml).to.match(/<testsuites name="parity" tests="2" failures="1"/);
    expect(xml).to.match(
      /<testcase classname="faulty" name="a field is lost">\n +<failure message="1\.headers\.etag">/,
    );
    expect(xml).to.match(/<testcase classname="faulty" name="[^"]+"\/>/);
  });

  it('create an HTML page that loads no other file', () => {
    const html = toHtml(report);

    expect(html).to.not.match(/<(link|img|iframe)\b|\ssrc=|@import|url\(|fetch\(/);
    expect(html).to.match(/<h1 class="bad">1 of 2 differ<\/h1>/);
  });

  it('create an HTML page in which every link has a target', () => {
    const html = toHtml(report);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const targets = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, target]) => target);

    expect(new Set(ids).size).to.equal(ids.length);
    expect(targets).to.have.length.above(2);
    expect(targets.filter((target) => !ids.includes(target))).to.deep.equal([]);
  });

  it('label values that differ between two runs of Express', () => {
    const verdicts = report.verdicts.map(({ differences, ...verdict }): Verdict => {
      const declared = differences.map((difference) => ({ ...difference, divergence: VARIES }));
      return { ...verdict, declared, differences: [], state: declared.length > 0 ? 'declared' : 'equal' };
    });
    const html = toHtml({ ...report, verdicts, failed: 0, kind: 'application' });

    expect(html).to.include('<span class="state declared">varies</span>');
    expect(html).to.match(/data-state="declared" aria-pressed="false">varies <b>1<\/b>/);
  });

  it('create an HTML page with only the differing scenarios open', () => {
    const html = toHtml(report);

    expect(html).to.match(/<details id="faulty-a-field-is-lost" data-state="different" open>/);
    expect(html).to.match(/data-state="equal">/);
  });

  it('align headers by name, mark the bytes that differ and escape markup', () => {
    const rows = rawDiff('ETag: "<1>"\nVary: *', 'Vary: *\nETag: "<2>"', ['a', 'b']).match(/<tr.*?<\/tr>/g);

    expect(rows).to.have.length(4);
    expect(rawDiff('a: <b>1', 'a: <b>2', ['a', 'b'])).to.include(
      '<tr><td class="was">a: &lt;b&gt;<mark>1</mark></td><td class="is">a: &lt;b&gt;<mark>2</mark></td></tr>',
    );
  });
});
