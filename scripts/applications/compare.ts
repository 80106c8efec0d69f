/** Runs `nozomi-parity` on an application, and prints what came out. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { end, untilListening } from '../../parity/harness/processes';
import { GAP_KINDS } from '../../parity/judge/gap-kinds';
import { formatLine } from '../table';

const ROOT = join(__dirname, '..', '..');
const COMMAND: string = join(ROOT, 'dist', 'parity', 'command', 'bin.js');
export const REPORTS: string = join(ROOT, 'report', 'applications');
/** Seeds random ids and tokens, which must be equal in both runs. One request file contains an id of this seed. */
export const SEED: readonly string[] = ['--seed', '7'];

/** Recordings of published applications have errors, and times that vary: the page of each application names them. */
export const ALLOWED: readonly string[] = GAP_KINDS.map((kind) => `--allow-${kind}`);

/** Milliseconds within which an application must listen. */
const START = 180_000;

interface Circumstances {
  readonly env?: NodeJS.ProcessEnv;
  /** The path of Node.js; default that of this process. */
  readonly node?: string;
}

export interface Ended {
  /** The exit code; null after a signal. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runParity(
  cwd: string,
  args: readonly string[],
  circumstances: Circumstances = {},
): Promise<Ended> {
  const child = start(cwd, args, circumstances);
  const [[status], stdout, stderr] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { status, stdout, stderr };
}

/** Starts `nozomi-parity`. It ends with this process. */
function start(
  cwd: string,
  args: readonly string[],
  { env = process.env, node = process.execPath }: Circumstances,
): ChildProcessByStdio<null, Readable, Readable> {
  const child = spawn(node, [COMMAND, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): boolean => child.kill();
  process.once('exit', stop);
  child.once('exit', () => process.off('exit', stop));
  return child;
}

/**
 * Runs `nozomi-parity record` while `visit` uses the application.
 *
 * @param args The arguments of the command after `record`.
 * @param port Where the application listens; also the variable PORT.
 * @returns The result of `visit`, and the output of the command.
 */
export async function record<Seen>(
  cwd: string,
  args: readonly string[],
  port: number,
  { env = process.env, node }: Circumstances,
  visit: (origin: string) => Promise<Seen>,
): Promise<{ seen: Seen; output: string }> {
  const child = start(cwd, ['record', ...args], {
    env: { ...env, PORT: String(port) },
    ...(node && { node }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  try {
    await untilListening(port, child, START);
    const seen = await visit(`http://127.0.0.1:${port}`);
    await end(child, 'SIGINT');
    return { seen, output };
  } catch (error) {
    throw new Error(`${args[0]}: ${(error as Error).message}\n${output}`);
  } finally {
    await end(child);
  }
}

/** @param port For `{port}`; each application may listen on the default when `nozomi-parity` starts it. */
export function argumentsOf({ args }: { readonly args: readonly string[] }, port = 3000): string[] {
  return args.map((one) => one.replaceAll('{port}', String(port)));
}

/** @returns Options for the reports in the terminal and in a file. */
export function reportTo(file: string, format: 'html' | 'json' = 'html'): string[] {
  return ['--reporter', 'terminal', '--reporter', `${format}=${file}`];
}

/** Prints one line, and all output unless `isGood`. @returns `isGood`. */
export function show(isGood: boolean, cells: readonly string[], { stdout, stderr }: Ended): boolean {
  console.log(formatLine([isGood ? '✓' : '✗', ...cells], [-2, -52, -18, -40]));
  if (!isGood) console.log(`${stdout}${stderr}`);
  return isGood;
}
