/** Runs `nozomi-parity` on an application, and prints what came out. */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { end, untilListening } from '../../parity/harness/processes';
import { formatLine } from '../table';

const ROOT = join(__dirname, '..', '..');
const COMMAND: string = join(ROOT, 'dist', 'parity', 'command', 'bin.js');
export const REPORTS: string = join(ROOT, 'report', 'applications');
/** Seeds random ids and tokens, which must be equal in both runs. One request file contains an id of this seed. */
export const SEED: readonly string[] = ['--seed', '7'];

/** Milliseconds within which an application must listen. */
const START = 180_000;

interface Circumstances {
  readonly env?: NodeJS.ProcessEnv;
  /** The path of Node.js; default that of this process. */
  readonly node?: string;
}

export function runParity(
  cwd: string,
  args: readonly string[],
  { env = process.env, node = process.execPath }: Circumstances = {},
): SpawnSyncReturns<string> {
  return spawnSync(node, [COMMAND, ...args], { cwd, env, encoding: 'utf8', maxBuffer: 1e9 });
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
  { env = process.env, node = process.execPath }: Circumstances,
  visit: (origin: string) => Promise<Seen>,
): Promise<{ seen: Seen; output: string }> {
  const child = spawn(node, [COMMAND, 'record', ...args], {
    cwd,
    env: { ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
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

/** @returns Options for the reports in the terminal and in a file. */
export function reportTo(file: string): string[] {
  return ['--reporter', 'terminal', '--reporter', `html=${file}`];
}

/** Prints one line, and all output unless `isGood`. @returns `isGood`. */
export function show(
  isGood: boolean,
  cells: readonly string[],
  { stdout, stderr }: Pick<SpawnSyncReturns<string>, 'stdout' | 'stderr'>,
): boolean {
  console.log(formatLine([isGood ? '✓' : '✗', ...cells], [-2, -52, -18, -40]));
  if (!isGood) console.log(`${stdout}${stderr}`);
  return isGood;
}
