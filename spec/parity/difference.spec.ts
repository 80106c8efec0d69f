/** What a report on an application shows: the difference itself, once, and what was not compared. */
import { join } from 'node:path';
import { expect } from 'chai';
import { playApplication } from '../../parity/application/application';
import { parseRequests } from '../../parity/application/traffic';
import { NOTHING } from '../../parity/implementations/observe';
import { judge } from '../../parity/judge/judge';
import { normalise } from '../../parity/judge/normalise';
import { type Report, reportOn } from '../../parity/judge/report';
import { withoutVarying } from '../../parity/judge/varying';
import { toHtml } from '../../parity/report/html/html';
import { differingLines } from '../../parity/report/lines';
import { maskReport } from '../../parity/report/mask';
import { formatReport, notes, summarise } from '../../parity/report/terminal';

function reportOf(
  differences: ReadonlyArray<readonly [name: string, place: string, expected: string, actual: string]>,
): Report {
  const names = [...new Set(differences.map(([name]) => name))];
  const verdicts = names.map((name) => {
    const entry = { id: `app.js: ${name}`, section: 'app.js', scenario: { name, clauses: [] } };
    const found = differences
      .filter(([one]) => one === name)
      .map(([, place, expected, actual]) => ({ place, expected, actual }));
    return judge(entry, NOTHING, NOTHING, [], { found });
  });
  return reportOn(verdicts, {
    kind: 'application',
    divergences: [],
    ofBuild: false,
    milliseconds: 1,
    observers: ['express', 'nozomi'].map((name) => ({ name, description: name })),
  });
}

describe('the difference that a report shows', () => {
  it('is without the values that vary between runs', () => {
    const a = ['{"at":1001,"name":"Ann","id":"k3b9"}', '{"at":1002,"name":"Ann","id":"x0f2"}'];
    const b = ['{"at":1003,"name":"Bob","id":"q7z1"}', '{"at":1004,"name":"Bob","id":"m5n8"}'];
    const [one, other] = ['Ann', 'Bob'].map((name) => `{"at":(varies),"name":"${name}","id":"(varies)"}`);

    expect(withoutVarying(a, b)).to.deep.equal({ expected: one, actual: other });
    expect(withoutVarying(a, b.slice(0, 1))).to.deep.equal({ expected: one, actual: other });
    expect(withoutVarying(['a 1', 'a 2'], ['a x', 'a x'])).to.deep.equal({
      expected: 'a (varies)',
      actual: 'a x',
    });
  });

  it('keeps a varying value of another shape', () => {
    const [a, b] = [
      ['id=0123456789abcdef', 'id=fedcba9876543210'],
      ['id=0123456', 'id=fedcba9'],
    ];

    expect(withoutVarying(a, b)).to.deep.equal({ expected: a[0], actual: b[0] });
  });

  it('of a long body is a list of lines, also for JSON without line breaks', () => {
    const rows = Array.from({ length: 3000 }, (_, index) => ({ index, even: index % 2 === 0 }));
    const other = rows.map((row) => (row.index === 2999 ? { ...row, even: true } : row));

    expect(differingLines(JSON.stringify(rows), JSON.stringify(other))).to.deep.equal([
      '@@ line 11999',
      '   "index": 2999,',
      '-  "even": false',
      '+  "even": true',
      '  }',
    ]);
    expect(differingLines('short', 'other')).to.equal(undefined);
    expect(differingLines(JSON.stringify(rows), JSON.stringify(rows, null, 2))?.[0]).to.equal(undefined);
  });

  it('is shown once if many requests have it', () => {
    const tags = ['/a', '/b', '/c'].map((path) => [
      `GET ${path}`,
      '1.headers.etag',
      `W/"5-${path}"`,
      `"5-${path}"`,
    ]) as Array<[string, string, string, string]>;
    const text = formatReport(
      reportOf([...tags, ['GET /c', '1.status', 'HTTP/1.1 200 OK', 'HTTP/1.1 500 No']]),
    );

    expect(text.match(/headers\.etag/g)).to.have.length(1);
    expect(text).to.include('the same in 2 others: GET /b, GET /c\n');
    expect(text)
      .to.match(/✗ app\.js: GET \/c\n {4}1\.status/)
      .and.not.include('✗ app.js: GET /b');
    expect(text).to.include('0 passed, 3 failed');
  });

  it('is shown once if many requests have it in other masked values', () => {
    const report = reportOf([
      ['GET /a', '1.headers.set-cookie', 'sid=c0ffee5eed; Path=/', 'sid=c0ffee5ee; Path=/'],
      ['GET /b', '1.headers.set-cookie', 'sid=deadbeef55; Path=/', 'sid=deadbeef5; Path=/'],
    ]);

    expect(formatReport(maskReport(report))).to.include('the same in 1 other: GET /b\n');
  });

  it('of a masked token shows the lengths if they differ', () => {
    const report = reportOf([
      ['POST /token', '1.body', '{"token":"c0ffee5eed"}', '{"token":"c0ffee5e"}'],
      ['GET /me', '1.headers.set-cookie', 'sid=c0ffee5eed', 'sid=c0ffee5eee'],
    ]);
    const differences = maskReport(report).verdicts.flatMap((verdict) => verdict.differences);

    expect(differences.map(({ expected }) => expected.replace(/masked-[\da-f]{4}/, 'masked'))).to.deep.equal([
      '{"token":"masked"} (22 characters)',
      'sid=masked',
    ]);
    expect(differences[0]?.actual).to.match(/ \(20 characters\)$/);
  });

  it('is named in the row of the page, and a request that differs comes first', () => {
    const report = reportOf([['GET /b', '1.headers.etag', 'a', 'b']]);
    const entry = { id: 'app.js: GET /a', section: 'app.js', scenario: { name: 'GET /a', clauses: [] } };
    const page = toHtml({ ...report, verdicts: [judge(entry, NOTHING, NOTHING, []), ...report.verdicts] });

    expect(page.indexOf('GET /b</span>')).to.be.below(page.indexOf('GET /a</span>'));
    expect(page).to.include('<span class="meta">etag</span>').and.not.include('1 section');
  });

  it('contains no stack frames, also if they are items of a list', () => {
    const frames = (file: string): string[] => [`    at one (${file}:1:2)`, `    at two (${file}:3:4)`];
    const [a, b] = ['/a.js', '/longer/b.js'].map((file) => {
      const list = JSON.stringify(['Error: x', ...frames(file)]);
      const items = frames(file).map((frame) => `<li>${frame.replace('    ', '&nbsp; &nbsp;')}</li>`);
      const stdout = [`${list}\n`, `<ul>${items.join('')}</ul>\n`];
      return normalise({ ...NOTHING, stdout }, {
        name: 'a',
        framework: 'a',
        logger: 'b',
        identity: 'Express',
      } as never);
    });

    expect(a?.stdout).to.deep.equal(['["Error: x","    at (stack)"]\n', '<ul><li>at (stack)</li></ul>\n']);
    expect(b).to.deep.equal(a);
  });
});

describe('the report on an application', () => {
  const file = join(__dirname, 'applications', 'two-servers.js');
  const requests = parseRequests('GET /users/1\n\nGET /events\n\nPUT /any', 'asked');
  const traffic = { name: 'asked', requests, leftOut: [], secrets: new Map() };

  it('names the routes without a request, the server that is not played, and the values that vary', async () => {
    const report = await playApplication({ file, traffic, coverage: true, patience: 3000 });

    expect(report.coverage).to.deep.equal({ routes: 4, missed: ['POST /users'] });
    expect(notes(report)).to.deep.equal([
      'not played: the server on port 9090',
      'no request for 1 of 4 routes: POST /users (--allow-missed-routes)',
    ]);
    expect(summarise(report)).to.match(/; equal but for values that vary with Express too: X-Id$/);
    expect(report.failed).to.equal(0);
  });

  it('waits the whole patience for an endless stream in the first run only', async () => {
    const { verdicts } = await playApplication({ file, traffic, patience: 8000 });
    const waits = verdicts.at(-1)?.seen.map(({ stdout }) => stdout.join());

    expect(waits).to.deep.equal(['whole patience\n', 'less\n']);
  });
});
