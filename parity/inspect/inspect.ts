/** Loads an application in a child process that replaces Express with Nozomi, and reads its tree. */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { closeAfterExit, HAS_GROUPS, killGroup } from '../implementations/child-group';
import { moduleBeside } from '../implementations/typescript';
import type { Inspection, Order, Reply } from './model';

/** Milliseconds after which the child process is killed. */
const DEADLINE = 60_000;

/**
 * Thrown if the application did not start. The message states the reason; `output` contains the stack trace and the
 * last output of the application.
 */
export class NotStarted extends Error {
  readonly output: string;

  constructor(message: string, output: string) {
    super(message);
    this.output = output;
  }
}

/**
 * Loads an application and reads its tree. If `order.isDoctor` is true, it also runs the checks of `nozomi-parity doctor`.
 *
 * @param cwd The working directory of the application.
 * @throws TypeError if the file does not exist.
 * @throws NotStarted if the application cannot be loaded, or does not use Express 4 or 5.
 */
export async function inspectApplication(order: Order, cwd: string = process.cwd()): Promise<Inspection> {
  const file = resolve(order.file);
  if (!existsSync(file)) throw new TypeError(`no such file: ${order.file}`);
  const child = start({ ...order, file }, cwd);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-8000);
    });
  }
  const kill = (): void => {
    if (!killGroup(child, 'SIGKILL')) child.kill('SIGKILL');
  };
  closeAfterExit(child, true);
  process.once('exit', kill);
  const timer = setTimeout(kill, DEADLINE);
  let reply: Reply | undefined;
  child.on('message', (message: Reply) => {
    // The application may send messages, too.
    if ('inspection' in Object(message) || 'failure' in Object(message)) reply ??= message;
  });
  const ended = await new Promise<string>((settle, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => settle(signal ?? `exit code ${code}`));
  });
  clearTimeout(timer);
  process.off('exit', kill);
  if (reply && 'inspection' in reply) return reply.inspection;
  const { failure = `ended with ${ended}`, stack = '' } = reply ?? {};
  throw new NotStarted(`${order.file} does not start: ${failure}`, `${stack}\n${output}`.trim());
}

function start(order: Order, cwd: string): ChildProcess {
  const { module, loaders } = moduleBeside(join(__dirname, 'child'), order.file);
  return fork(module, [JSON.stringify(order)], {
    cwd,
    env: { ...process.env, NODE_ENV: process.env.NODE_ENV ?? 'development' },
    execArgv: ['--no-warnings', '--enable-source-maps', ...loaders],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: HAS_GROUPS,
  });
}
