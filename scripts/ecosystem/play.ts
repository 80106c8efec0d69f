/** Plays a case in its own process. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { nodeOf } from '../bench/node';
import type { Case } from './cases';

/** One entry of a transcript: an exchange, a note of the case, an error, or the reason why the case was skipped. */
export interface Entry {
  readonly request?: string;
  readonly status?: number;
  readonly note?: string;
  readonly threw?: string;
  readonly unhandled?: string;
  readonly uncaught?: string;
  /** Why the case cannot run over HTTP/2. */
  readonly skipped?: string;
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>;
}

export interface Performance {
  readonly transcript: readonly Entry[];
  readonly milliseconds: number;
  /** The name in the package.json of the loaded `express`; undefined if the process did not finish. */
  readonly framework: string | undefined;
  /** Standard output and standard error of the process. */
  readonly output: string;
}

/** The only environment variables that a case inherits, because packages may read others. */
const KEPT = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'TEMP', 'USERPROFILE', 'APPDATA'];

/**
 * Plays a case in a child process, which is killed after `seconds`.
 *
 * @param folder One of the folders of `openInstallations`.
 */
export function play(
  folder: string,
  { family, name, node, seconds }: Case,
  transport: 'http1' | 'http2' = 'http1',
): Promise<Performance> {
  const env = Object.fromEntries(KEPT.flatMap((key) => (process.env[key] ? [[key, process.env[key]]] : [])));
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = fork(join(folder, 'play.cjs'), [family, name, transport], {
      cwd: folder,
      env: { ...env, NODE_ENV: 'test', TZ: 'UTC', NODE_NO_WARNINGS: '1' },
      execArgv: [],
      execPath: nodeFor(node),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const clock = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
    let transcript: readonly Entry[] = [{ threw: 'the process ended without a result' }];
    let framework: string | undefined;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.on('message', (message: Pick<Performance, 'framework' | 'transcript'>) => {
      ({ framework, transcript } = message);
    });
    child.on('error', reject);
    child.on('close', (_code, signal) => {
      clearTimeout(clock);
      if (signal) transcript = [{ threw: `the process was ended by ${signal}; its limit is ${seconds} s` }];
      resolve({ framework, transcript, milliseconds: performance.now() - started, output });
    });
  });
}

/** @returns A Node.js that is new enough: that of this process, or one that is installed from npm. */
export function nodeFor(oldest = 0): string {
  return Number.parseInt(process.versions.node, 10) >= oldest ? process.execPath : nodeOf(`${oldest}`);
}
