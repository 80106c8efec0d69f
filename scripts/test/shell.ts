/** Runs the command of a step, and measures its CPU time. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const root = join(__dirname, '..', '..');

export interface Ended {
  readonly code: number;
  /** Standard output and standard error, in the order in which they arrived. */
  readonly output: string;
  /** Seconds. */
  readonly elapsed: number;
  /** CPU seconds of the command and of the processes that it waited for; 0 on Windows. */
  readonly used: number;
}

interface Options {
  /** The folder for temporary files. */
  readonly temporary: string;
  /** Whether to print the output while the command runs. */
  readonly isLive: boolean;
  /** More environment variables. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Lets TypeScript 7, a program of Go, collect garbage less often: a third less CPU time, and 800 MB at most. */
const GOGC = '400';
/** Prints the times of the shell and of its children to the third pipe, and ends with the exit code of the command. */
const TIMED = 'eval "$1"; code=$?; times >&3; exit $code';

export function runShell(command: string, { temporary, isLive, env: own }: Options): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const env = {
      GOGC,
      // Package managers leave their compiled code in the folder for temporary files.
      DISABLE_V8_COMPILE_CACHE: '1',
      ...process.env,
      ...own,
      TMPDIR: temporary,
      TEMP: temporary,
      TMP: temporary,
    };
    const options = { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] } as const;
    const started = performance.now();
    const child =
      process.platform === 'win32'
        ? spawn(command, { ...options, stdio: [...options.stdio], shell: true })
        : spawn('sh', ['-c', TIMED, 'sh', command], { ...options, stdio: [...options.stdio] });
    const stop = () => child.kill();
    process.once('exit', stop);
    let [output, times] = ['', ''];
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const) {
      from?.on('data', (chunk: Buffer) => {
        output += chunk;
        if (isLive) to.write(chunk);
      });
    }
    child.stdio[3]?.on('data', (chunk: Buffer) => {
      times += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('exit', stop);
      const elapsed = (performance.now() - started) / 1000;
      resolve({ code: code ?? 1, output, elapsed, used: secondsIn(times) });
    });
  });
}

/** @param times What the command `times` of a shell prints: `0m0.01s 0m0.02s` for itself, then for its children. */
function secondsIn(times: string): number {
  return [...times.matchAll(/(\d+)m([\d.,]+)s/g)].reduce(
    (sum, [, minutes, seconds = '']) => sum + Number(minutes) * 60 + Number(seconds.replace(',', '.')),
    0,
  );
}
