// Measures the CPU time per request that `nozomi-parity/recorder` adds to an application. Run this script after a build.
//
//   npm run bench -- recorder [--rounds 60] [--requests 1500]
//
// There are two workloads. With one route, the recorder soon has enough samples and stops inspecting requests. With
// 4000 paths, it inspects every request.
//
// Each application runs in its own process and is warm before the measurement. Each round measures all of them, in
// random order. The script prints the median of the ratios to the application without a recorder in the same round. A
// second application without a recorder shows the noise. Exit code 1 if the recorder adds more than 5 %, or if the noise
// is above 3 %.
import { join } from 'node:path';
import type { Sample } from '../../parity/client/load';
import { temporaryFolder } from '../../parity/temporary-folder';
import { runCommand, toCount } from '../command';
import { formatLine } from '../table';
import { overLoopback } from './http/driver';
import { type Effort, measure } from './measure';
import type { Peer } from './peers';
import { median } from './statistics';
import type { Workload } from './workloads';

const [LIMIT, RESOLUTION] = [1.05, 1.03];
/** How often each application is started. */
const SETS = 3;
const NOZOMI = require.resolve('nozomi');
const RECORDER = join(__dirname, '..', '..', 'dist', 'parity', 'recorder', 'index.js');
const BODY = { book: 3, copies: 2, note: 'wrapped, please' };

const PEERS: readonly Peer[] = [
  { name: 'plain', program: 'recorder', claims: 'own', loads: [NOZOMI] },
  { name: 'plain again', program: 'recorder', claims: 'own', loads: [NOZOMI] },
  { name: 'recorded', program: 'recorder', claims: 'own', loads: [NOZOMI, RECORDER] },
];

const WORKLOADS = ['one route', '4000 paths'].map(
  (name): Workload => ({
    name,
    about: name,
    program: name,
    method: 'POST',
    target: '/orders/42?expand=lines',
    headers: {
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) bench',
      Accept: '*/*',
      Cookie: 'sid=1234567890; theme=dark',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(BODY),
    status: 200,
    answer: JSON.stringify({ order: 'one', lines: [BODY], at: 1767225600 }),
  }),
);

runCommand({
  options: {
    rounds: { type: 'string', default: '60' },
    requests: { type: 'string', default: '1500' },
  },
  run: ({ values: { rounds, requests } }) =>
    main({
      processes: SETS,
      rounds: toCount('rounds', rounds),
      requests: toCount('requests', requests),
      node: process.execPath,
      files: temporaryFolder('bench-recorder'),
    }),
});

/** @returns Whether the overhead of the recorder and the noise of the measurement are within their limits. */
async function main(effort: Effort): Promise<boolean> {
  const { processes, rounds, requests } = effort;
  console.log(
    `Node.js ${process.version}, ${processes} sets of processes, ${rounds} rounds of ${requests} requests each`,
  );
  const widths = [-12, 10, 13, 10];
  console.log(formatLine(['', 'µs plain', 'plain again', 'recorded'], widths));
  let isGood = true;
  for (const work of WORKLOADS) {
    const {
      plain = [],
      'plain again': again = [],
      recorded = [],
    } = (await measure(work, PEERS, effort, overLoopback)).slices;
    const toPlain = (samples: readonly Sample[]): number =>
      median(samples.map(({ cpu }, round) => cpu / (plain[round] as Sample).cpu));
    const micros = median(plain.map(({ cpu }) => cpu));
    const [noise, overhead] = [toPlain(again), toPlain(recorded)];
    console.log(formatLine([work.name, micros.toFixed(1), noise.toFixed(3), overhead.toFixed(3)], widths));
    if (overhead > LIMIT || Math.abs(noise - 1) > RESOLUTION - 1) isGood = false;
  }
  return isGood;
}
