/** Plays a case with one implementation in a process of its own. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Case } from './cases';

/** One event: an exchange, a note, or the failure of the case. */
export interface Entry {
  readonly request?: string;
  readonly status?: number;
  readonly note?: string;
  readonly threw?: string;
  readonly unhandled?: string;
  readonly uncaught?: string;
  /** The reason why the case cannot run over HTTP/2. */
  readonly skipped?: string;
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>;
}

export interface Performance {
  readonly transcript: readonly Entry[];
  readonly milliseconds: number;
  /** The package name of `require('express')`; undefined if the process did not finish. */
  readonly framework: string | undefined;
  /** The output of the case. */
  readonly output: string;
}

/** After how many milliseconds a case is aborted. */
const LIMIT = 30_000;

/** The environment of a case: variables that every process needs. */
const KEPT = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'TEMP', 'USERPROFILE', 'APPDATA'];

/** @param transport The transport of the requests. */
export function play(
  folder: string,
  { family, name }: Case,
  transport: 'http1' | 'http2' = 'http1',
): Promise<Performance> {
  const env = Object.fromEntries(KEPT.flatMap((key) => (process.env[key] ? [[key, process.env[key]]] : [])));
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = fork(join(folder, 'play.cjs'), [family, name, transport], {
      cwd: folder,
      env: { ...env, NODE_ENV: 'test', TZ: 'UTC', NODE_NO_WARNINGS: '1' },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const clock = setTimeout(() => child.kill('SIGKILL'), LIMIT);
    let transcript: readonly Entry[] = [{ threw: 'the process ended without a word' }];
    let framework: string | undefined;
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.on('message', (message: Pick<Performance, 'framework' | 'transcript'>) => {
      ({ framework, transcript } = message);
    });
    child.on('error', reject);
    child.on('close', (_code, signal) => {
      clearTimeout(clock);
      if (signal) transcript = [{ threw: `ended by ${signal} after ${LIMIT} ms at most` }];
      resolve({ framework, transcript, milliseconds: performance.now() - started, output });
    });
  });
}
