// Tests whether the verdict of `nozomi-parity` is reliable, with applications whose responses contain ids, times and
// stack traces. Without a fault, each run must report that all is equal. Each seeded fault must be found once, and at its
// place if `seeded` names it.
//
//   npm run check -- trust                     examples/bookshop: 30 runs without a fault, and each fault; takes half an hour or more
//   npm run check -- trust members             the application `members` of this folder instead, recorded and replayed. It has a
//                                               login by password, signed tokens, CSRF forms, uploads, compression, a rate
//                                               limit, events and a WebSocket
//   npm run check -- trust members --series 4  with Express 4 and the error pages of errorhandler
//   npm run check -- trust --runs 2            2 runs without a fault
//   npm run check -- trust --grep cookie       only the faults with this text in their name
//   taskset -c 0 npm run check -- trust        uses one core
//
// Exit code: 0 if all verdicts are right, 1 if one is wrong, 2 if the script could not run.
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';
import { type Ended, record, reportTo, runParity, show } from '../applications/compare';
import { runCommand, toCount, toNames } from '../command';
import { visit } from './members/visit';

const ROOT = join(__dirname, '..', '..');
const PACKAGES = 'compression cookie-parser csrf errorhandler express-rate-limit express-session multer';
/** Milliseconds to read a stream that never ends. In this time the bookshop sends more than ten events. */
const PATIENCE = '700';

/** An application to compare. */
interface Subject {
  /** The folder of the application. */
  readonly cwd: string;
  /** The arguments of `nozomi-parity`. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The folder of Nozomi with seeded faults. */
  readonly seeded: string;
}

const SUBJECTS: Readonly<Record<string, (series: string) => Subject | Promise<Subject>>> = {
  bookshop: () => ({
    cwd: join(ROOT, 'examples', 'bookshop'),
    // The bookshop limits requests and throws on purpose.
    args: [
      ...['app.js', '--requests', 'traffic.http', '--patience', PATIENCE],
      ...['--allow-error-responses', '--allow-uncaught-errors'],
    ],
    env: process.env,
    seeded: join(__dirname, 'seeded'),
  }),
  async members(series) {
    const cwd = layOut(series);
    const env = { ...process.env, SERIES: series, ...(series === '4' && { ERROR_PAGE: '1' }) };
    const options = '-o traffic.har --keep 20 --keep-secrets --keep-binary'.split(' ');
    const { output } = await record(cwd, ['app.js', ...options], await freePort(), { env }, visit);
    console.log(output);
    return {
      cwd,
      // The length of a compressed page varies now and then, and the response to HEAD does not contain the page.
      args: ['app.js', '--har', 'traffic.har', '--allow-varying'],
      env,
      seeded: join(__dirname, 'members', 'seeded'),
    };
  },
};

interface Verdict {
  readonly id: string;
  readonly state: string;
  readonly differences: ReadonlyArray<{ readonly place: string }>;
}

runCommand({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '30' },
    series: { type: 'string', default: '5' },
    grep: { type: 'string', default: '' },
  },
  async run({ values, positionals: [name = 'bookshop'] }) {
    const runs = toCount('runs', values.runs);
    toNames([name], Object.keys(SUBJECTS));
    const subject = (await SUBJECTS[name]?.(values.series)) as Subject;
    let equal = 0;
    for (let run = 1; run <= runs; run++) {
      const ended = await compare(subject);
      equal += Number(show(ended.status === 0, [`run ${run}, no fault`], ended));
    }
    // Loading the module with the faults must not cause a difference.
    const idle = await compare(subject, '');
    const isIdle = show(idle.status === 0, ['no fault is enabled'], idle);
    const { FAULTS } = require(subject.seeded) as { FAULTS: Readonly<Record<string, unknown>> };
    const chosen = Object.entries(FAULTS).filter(([fault]) => fault.includes(values.grep));
    let found = 0;
    for (const [fault, definition] of chosen) {
      const [, request = '', part] = [definition].flat() as [unknown, string?, string?];
      const ended = await compare(subject, fault);
      const isFound = ended.verdicts.some(
        ({ id, state, differences }) =>
          state === 'different' &&
          id.includes(request) &&
          differences.some(({ place }) => !part || isAt(place, part)),
      );
      found += Number(show(isFound, [`${fault}: ${request} ${part ?? ''}`], ended));
    }
    console.log(
      `${equal} of ${runs} runs without a fault are equal, ${found} of ${chosen.length} faults are found`,
    );
    return isIdle && equal === runs && found === chosen.length;
  },
});

/** Whether a place of the report, such as `1.headers.etag` or `stdout.3`, is this part. */
function isAt(place: string, part: string): boolean {
  return place.replace(/^\d+\./, '') === part || place.replace(/\.\d+$/, '') === part;
}

/** Copies the application `members` to a folder in which it finds this version of Express. @returns The folder. */
function layOut(series: string): string {
  const folder = temporaryFolder('members');
  mkdirSync(join(folder, 'node_modules'));
  cpSync(join(__dirname, 'members', 'app.js'), join(folder, 'app.js'));
  const link = (name: string, installed: string): void =>
    symlinkSync(join(ROOT, 'node_modules', installed), join(folder, 'node_modules', name), 'junction');
  link('express', series === '4' ? 'express4' : 'express');
  for (const name of PACKAGES.split(' ')) link(name, name);
  return folder;
}

/** Runs `nozomi-parity` once. @param fault If given, with the seeded Nozomi as candidate; `''` enables no fault. */
async function compare(
  { cwd, args, env, seeded }: Subject,
  fault?: string,
): Promise<Ended & { readonly verdicts: readonly Verdict[] }> {
  const file = join(temporaryFolder('trust'), 'report.json');
  const ended = await runParity(
    cwd,
    [...args, ...reportTo(file, 'json'), ...(fault === undefined ? [] : ['--candidate', seeded])],
    { env: { ...env, ...(fault !== undefined && { FAULT: fault }) } },
  );
  return { ...ended, verdicts: ended.status === 0 || ended.status === 1 ? require(file).verdicts : [] };
}
