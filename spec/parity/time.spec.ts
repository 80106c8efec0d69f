/** The CPU time that `nozomi-parity --time` measures. */
import { join } from 'node:path';
import { expect } from 'chai';
import { playApplication } from '../../parity/application/application';
import { timeApplication } from '../../parity/application/time';
import { parseRequests } from '../../parity/application/traffic';
import { REFERENCE } from '../../parity/implementations/implementations';
import { gain, latency } from '../../parity/report/terminal';

const application = join(__dirname, 'applications', 'busy.js');
const requests = parseRequests('GET /\n\nGET /closed\n\nGET /endless\n\nGET /', 'asked');
const traffic = { name: 'asked', requests, leftOut: [], secrets: new Map() };

describe('nozomi-parity --time', () => {
  it('measures the CPU time per request, without responses that do not end', async () => {
    const { verdicts } = await playApplication({ file: application, traffic, patience: 300 });
    const seen = verdicts.flatMap(({ seen: [wanted] }) => wanted.exchanges);
    const timing = await timeApplication(
      { ...REFERENCE, application, replacements: [] },
      { ...REFERENCE, application, replacements: [], args: ['slow'] },
      { traffic, patience: 5000, seen, slices: 3, env: process.env },
    );

    expect(timing.candidate - timing.baseline).to.be.above(500);
    expect(timing.ratio).to.be.above(1.5);
    expect(timing.control).to.be.within(0.5, 1.5);
    expect(timing.requests % (3 * 3)).to.equal(0);
    expect(timing.latencies.map(({ what }) => what)).to.deep.equal(['GET /', 'GET /closed']);
    for (const { baseline, candidate } of timing.latencies)
      expect(candidate - baseline, 'the median latency').to.be.above(500);
  });

  it('prints the gain, and the difference between two equal processes as its error', async () => {
    const timing = { requests: 90, baseline: 404.4, candidate: 245.2, ratio: 0.634, control: 0.98 };
    const latencies = [
      { what: 'GET /', baseline: 900.4, candidate: 810, control: 927 },
      ...Array.from({ length: 10 }, (_, i) => ({
        what: `GET /${i}`,
        ...{ baseline: 2000, candidate: 1000, control: 2000 },
      })),
    ];
    const report = await playApplication({ file: application, traffic, patience: 300 });

    expect(gain(report)).to.deep.equal([]);
    expect(latency(report)).to.deep.equal([]);
    expect(gain({ ...report, timing: { ...timing, latencies } })).to.deep.equal([
      'equal on 4 requests; CPU per request: 404 → 245 µs, −37 % (A/A ±2 %)',
    ]);
    expect(latency({ ...report, timing: { ...timing, latencies: latencies.slice(0, 2) } })).to.deep.equal([
      'median latency per path:',
      '  GET /0: 2000 → 1000 µs, −50 % (A/A ±1 %)',
      '  GET /: 900 → 810 µs, −10 % (A/A ±3 %)',
    ]);
    expect(latency({ ...report, timing: { ...timing, latencies } }).at(-1)).to.equal('  and 1 faster path');
  });
});
