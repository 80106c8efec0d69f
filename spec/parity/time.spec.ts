/** The CPU time that `nozomi-parity --time` measures. */
import { join } from 'node:path';
import { expect } from 'chai';
import { playApplication } from '../../parity/application/application';
import { timeApplication } from '../../parity/application/time';
import { parseRequests, type Traffic } from '../../parity/application/traffic';
import { REFERENCE } from '../../parity/implementations/implementations';
import type { Timing } from '../../parity/judge/report';
import { gain, gainByPath } from '../../parity/report/terminal';
import { APPLICATIONS } from '../support/command';

const application = join(APPLICATIONS, 'busy.js');
const traffic = trafficOf('GET /\n\nPOST /\n\nGET /closed\n\nGET /endless\n\nGET /');

describe('nozomi-parity --time', () => {
  it('measures the CPU time per request, without responses that do not end', async () => {
    const timing = await time(application, traffic, 3, ['slow']);

    expect(timing.candidate - timing.baseline).to.be.above(500);
    expect(timing.candidate / timing.baseline).to.be.above(1.5);
    expect(timing.control / timing.baseline).to.be.within(0.5, 1.5);
    expect(timing.requests % (3 * 8)).to.equal(0);
    expect(timing.paths.map(({ what }) => what)).to.deep.equal(['GET /', 'POST /']);
    for (const {
      baseline,
      candidate,
      latencies: [before = 0, after = 0],
    } of timing.paths) {
      expect(candidate - baseline, 'the CPU time of a path').to.be.above(500);
      expect(after - before, 'the latency').to.be.above(500);
    }
    expect(timing.left).to.deep.equal([
      { what: 'GET /closed', why: 'closes the connection' },
      { what: 'GET /endless', why: 'does not end' },
    ]);
  });

  it('repeats no request that changes other responses, and none whose own response changes', async () => {
    const requests = 'POST /login\n\nGET /cart\n\nPOST /cart\n\nGET /cart?full\n\nGET /rare\n\nPOST /logout';
    const timing = await time(join(APPLICATIONS, 'shop.js'), trafficOf(requests));

    expect(timing.paths.map(({ what }) => what)).to.deep.equal(['GET /cart']);
    expect(timing.left.map(({ what, why }) => `${what}: ${why}`)).to.deep.equal([
      'POST /login: may change other responses',
      'POST /cart: may change other responses',
      'GET /rare: 200 → 429',
      'POST /logout: may change other responses',
    ]);
  });

  it('repeats a login whose other responses stay as they are', async () => {
    const requests = 'POST /login\n\nGET /cart\n\nPOST /logout';
    const timing = await time(join(APPLICATIONS, 'shop.js'), trafficOf(requests));

    expect(timing.left).to.deep.equal([]);
  });

  it('fails if no response stays as it is', async () => {
    const failure = await time(join(APPLICATIONS, 'shop.js'), trafficOf('GET /rare')).catch(String);

    expect(failure).to.equal(
      'TypeError: --time: no response stays as it is when its request is repeated; GET /rare: 200 → 429; raise the rate limit of the application to measure it',
    );
  });

  it('prints the gain, and the difference between two equal processes as its error', async () => {
    const timing = {
      requests: 90,
      baseline: 404.4,
      candidate: 245.2,
      control: 396.3,
      left: [{ what: 'GET /closed', why: 'closes the connection' }],
    };
    const latencies = [1800.4, 1000, 1800];
    const paths = [
      { what: 'GET /', baseline: 900.4, candidate: 810, control: 927, latencies },
      ...Array.from({ length: 10 }, (_, i) => ({
        what: `GET /${i}`,
        baseline: 2000,
        candidate: 1000,
        control: 2000,
        latencies,
      })),
    ];
    const report = await playApplication({ file: application, traffic, patience: 300 });

    expect(gain(report)).to.deep.equal([]);
    expect(gainByPath(report)).to.deep.equal([]);
    expect(gain({ ...report, timing: { ...timing, paths } })).to.deep.equal([
      'equal on 5 requests; CPU per request: 404 → 245 µs, −39 % (A/A ±2 %)',
    ]);
    expect(gainByPath({ ...report, timing: { ...timing, paths: paths.slice(0, 2) } })).to.deep.equal([
      'CPU per request by path, and latency with 8 connections:',
      '  GET /0: 2000 → 1000 µs, −50 % (A/A ±1 %); latency 1800 → 1000 µs',
      '  GET /: 900 → 810 µs, −10 % (A/A ±3 %); latency 1800 → 1000 µs',
      'not measured: GET /closed (closes the connection)',
    ]);
    expect(gainByPath({ ...report, timing: { ...timing, left: [], paths } }).at(-1)).to.equal(
      '  and 1 faster path',
    );
  });
});

function trafficOf(text: string): Traffic {
  return { name: 'asked', requests: parseRequests(text, 'asked'), leftOut: [], secrets: new Map() };
}

/** Measures an application with Express, against itself with other arguments. */
async function time(file: string, sent: Traffic, slices = 1, args: readonly string[] = []): Promise<Timing> {
  const { verdicts } = await playApplication({ file, traffic: sent, patience: 300 });
  const spec = { ...REFERENCE, application: file, replacements: [] };
  return timeApplication(
    spec,
    { ...spec, args },
    {
      traffic: sent,
      patience: 5000,
      slices,
      env: process.env,
      seen: verdicts.flatMap(({ seen: [expected] }) => expected.exchanges),
    },
  );
}
