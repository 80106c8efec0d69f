// Tests `nozomi-parity record` and `nozomi-parity` with the application `members` of this folder, which has a login by
// password, signed tokens, CSRF forms, uploads, compression, a rate limit, events and a WebSocket. Records it, and replays
// the recording: without a fault, each run must be equal; with a seeded fault, it must be found at its place.
//
//   npm run verify -- trust-members                   30 runs without a fault, and each fault once; takes 10 minutes or more
//   npm run verify -- trust-members --runs 2          2 runs without a fault
//   npm run verify -- trust-members --series 4        with Express 4 and the error pages of errorhandler
//   npm run verify -- trust-members --grep cookie     only the faults with this text in their name
//
// Exit code: 0 if all verdicts are right, 1 if one is wrong, 2 if the script could not run.
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../parity/harness/processes';
import { temporaryFolder } from '../../../parity/temporary-folder';
import { record, runParity } from '../../applications/compare';
import { runCommand } from '../../command';
import { visit } from './visit';

const ROOT = join(__dirname, '..', '..', '..');
const PACKAGES = 'compression cookie-parser csrf errorhandler express-rate-limit express-session multer';

type Fault = readonly [fault: unknown, request: string, part: string];
const { FAULTS } = require('./seeded') as { FAULTS: Readonly<Record<string, Fault>> };

interface Verdict {
  readonly id: string;
  readonly state: string;
  readonly differences: ReadonlyArray<{ readonly place: string }>;
}

runCommand({
  name: 'trust:members',
  file: __filename,
  options: {
    runs: { type: 'string', default: '30' },
    series: { type: 'string', default: '5' },
    grep: { type: 'string', default: '' },
  },
  async run({ values: { runs, series, grep } }) {
    const folder = layOut(series);
    const env = { ...process.env, SERIES: series, ...(series === '4' && { ERROR_PAGE: '1' }) };
    const options = '-o traffic.har --keep 20 --keep-secrets --keep-binary'.split(' ');
    const { output: recorded } = await record(
      folder,
      ['app.js', ...options],
      await freePort(),
      { env },
      visit,
    );
    console.log(recorded);
    const count = Number(runs);
    let equal = 0;
    for (let run = 0; run < count; run++) {
      const { status, output } = await compare(folder, env);
      equal += Number(report(status === 0, `run ${run + 1}, no fault`, output));
    }
    const chosen = Object.entries(FAULTS).filter(([name]) => name.includes(grep));
    let found = 0;
    for (const [name, [, request, part]] of chosen) {
      const seeded = join(__dirname, 'seeded');
      const { verdicts, output } = await compare(folder, { ...env, FAULT: name }, '--candidate', seeded);
      const isFound = verdicts.some(
        ({ id, state, differences }) =>
          state === 'different' && id.includes(request) && differences.some(({ place }) => isAt(place, part)),
      );
      found += Number(report(isFound, `${name}: ${request}, ${part}`, output));
    }
    console.log(
      `Express ${series}: ${equal} of ${count} runs without a fault are equal, ${found} of ${chosen.length} faults are found at their place`,
    );
    return equal === count && found === chosen.length;
  },
});

/** Whether a place of the report, such as `1.headers.etag` or `stdout.3`, is this part. */
function isAt(place: string, part: string): boolean {
  return place.replace(/^\d+\./, '') === part || place.replace(/\.\d+$/, '') === part;
}

/** Copies the application to a folder in which it finds this version of Express. @returns The folder. */
function layOut(series: string): string {
  const folder = temporaryFolder('members');
  mkdirSync(join(folder, 'node_modules'));
  cpSync(join(__dirname, 'app.js'), join(folder, 'app.js'));
  const link = (name: string, installed: string): void =>
    symlinkSync(join(ROOT, 'node_modules', installed), join(folder, 'node_modules', name), 'junction');
  link('express', series === '4' ? 'express4' : 'express');
  for (const name of PACKAGES.split(' ')) link(name, name);
  return folder;
}

async function compare(
  cwd: string,
  env: NodeJS.ProcessEnv,
  ...options: string[]
): Promise<{ status: number | null; verdicts: readonly Verdict[]; output: string }> {
  const reporters = ['--reporter', 'terminal', '--reporter', 'json=report.json'];
  const args = ['app.js', '--har', 'traffic.har', ...reporters, ...options];
  const { status, stdout, stderr } = await runParity(cwd, args, { env });
  const verdicts = status === 0 || status === 1 ? require(join(cwd, 'report.json')).verdicts : [];
  delete require.cache[join(cwd, 'report.json')];
  return { status, verdicts, output: stdout + stderr };
}

function report(isRight: boolean, what: string, output: string): boolean {
  console.log(`${isRight ? '✓' : '✗'} ${what}`);
  if (!isRight) console.log(output);
  return isRight;
}
