import { expect } from 'chai';
import fc from 'fast-check';
import { get } from '../../parity/client/request';
import type { Observation } from '../../parity/implementations/protocol';
import { compare } from '../../parity/judge/compare';
import { judge } from '../../parity/judge/judge';
import type { Report } from '../../parity/judge/report';
import { toGithub } from '../../parity/report/github';
import { toHtml } from '../../parity/report/html/html';
import { toJunit } from '../../parity/report/junit';
import { maskReport } from '../../parity/report/mask';
import { formatReport, toJson } from '../../parity/report/terminal';
import { APPLICATIONS, runParity } from '../support/command';

const REPORTERS = { terminal: formatReport, json: toJson, junit: toJunit, github: toGithub, html: toHtml };

/** Control characters (C0, DEL, C1), marks of direction, line separators, lone surrogates and other invisible ones. */
const HIDDEN = /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u;
/** A line that the runner of GitHub Actions executes. */
const EXECUTED = /^\s*::[^\n]*::|##\[/m;

// biome-ignore format: a table
const PIECES = [
  '\u001b[2J', '\u001b]0;title\u0007', '\u001b]8;;http://a.test\u001b\\', '\u009b31m', '\u0090',
  '\u0000', '\u007f', '\r', '\t', '\u202e', '\u2066', '\u200f', '\u200b', '\ufeff', '\u2028',
  '\u2029', '\ud800', '\udc00', '\u{e0041}', '\ue000', '\uffff', '\n', '\n::error::forged',
  '\n  ::add-mask::x', '\r::stop-commands::x', '\n##[error]x', '##[group]', '%0A::error::x',
  '\n0 failed',
  'a', 'é', '中', '\u{1f600}', ' ', '<b>', '&', '"', '::', '`',
];
const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));

function reportOn(texts: readonly [string, string], id: string): Report {
  const observed = (text: string): Observation => ({
    exchanges: [
      {
        request: get('/'),
        connection: 1,
        outcome: 'kept',
        header: () => undefined,
        response: {
          version: 'HTTP/1.1',
          status: 200,
          reason: text,
          headers: [['X-A', text]],
          framing: 'length',
          body: Buffer.from(text),
          interim: [],
          trailers: [['X-B', text]],
        },
        uncaught: [text],
      },
    ],
    log: [`${text}\n`],
    stdout: [],
    stderr: [`${text}\n`],
    deprecations: [],
    uncaught: [text],
  });
  const [expected, actual] = [observed(texts[0]), observed(`${texts[1]}!`)];
  const entry = { id, section: id, scenario: { name: id, clauses: [] }, number: 1 };
  const verdicts = [
    judge(entry, expected, actual, [], { found: compare(expected, actual), unsteady: new Set() }),
    judge({ ...entry, id: `${id}2` }, expected, { ...actual, lost: texts[0] }, []),
  ];
  return maskReport({
    verdicts,
    passed: 0,
    inconclusive: 0,
    gaps: [{ kind: 'left-out', cause: `left out: ${id}`, ids: [id], isAllowed: false }],
    failed: 2,
    exchanges: 2,
    unknown: [],
    isMove: false,
    kind: 'application',
    observers: [
      { name: 'express', description: 'express 5.3.0' },
      { name: 'nozomi', description: 'nozomi' },
    ],
    ofBuild: true,
    divergences: [],
    milliseconds: 1,
    recording: {
      name: 'a.har',
      recorded: 2,
      answered: 1,
      leftOut: [{ why: 'body not recorded', what: id }],
      deviations: [{ id, number: 1, recorded: 200, status: 404, why: '200 → 404' }],
    },
  } as unknown as Report);
}

describe('parity: texts of responses in reports', () => {
  for (const [name, format] of Object.entries(REPORTERS))
    it(`contain only printable characters and line feeds: ${name}`, () => {
      fc.assert(
        fc.property(texts, texts, texts, (one, other, id) => {
          const output = format(reportOn([one, other], id));
          expect(HIDDEN.exec(output)?.[0]).to.equal(undefined);
        }),
        { numRuns: 300 },
      );
    });

  it('are no workflow commands, for the reporters that print to the log of GitHub Actions', () => {
    fc.assert(
      fc.property(texts, texts, texts, (one, other, id) => {
        const report = reportOn([one, other], id);
        expect(formatReport(report)).to.not.match(EXECUTED);
        expect(toJson(report)).to.not.match(EXECUTED);
        const own = /^::(?:error|warning) title=[^:\n]*::[^\n]*$/gm;
        expect(toGithub(report).replace(own, '')).to.not.match(EXECUTED);
        expect(toGithub(report)).to.not.include('##[');
      }),
      { numRuns: 300 },
    );
  });

  it('stay readable as JSON', () => {
    const report = reportOn(['a', '\u001b\u202e\ud800##['], 'id');

    expect(JSON.parse(toJson(report)).verdicts[0].differences).to.deep.include({
      place: '1.headers.x-a',
      expected: 'a',
      actual: '\u001b\u202e\ud800##[!',
    });
  });

  it('are printed with symbols by --show', async () => {
    const args = ['controls.js', '--requests', 'hello.http', '--show'];
    const ended = await runParity(args, { cwd: APPLICATIONS });
    const output = ended.output + ended.errors;

    expect(output).to.include('␛]0;title␇ [U+202E]').and.to.include('\\::error::forged');
    expect(HIDDEN.exec(output)?.[0]).to.equal(undefined);
    expect(output).to.not.match(EXECUTED);
  });
});
