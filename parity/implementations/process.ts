/** Starts a child process that replies to questions, and finds out if it ends or hangs. */
import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { closeAfterExit, HAS_GROUPS, killGroup } from './child-group';

/** Thrown if a child process ends or does not reply in time. The message contains its output. */
export class ImplementationLost extends Error {
  /** What happened, such as `ended with exit code 1`. */
  readonly why: string;

  constructor(message: string, why = message) {
    super(message);
    this.why = why;
  }
}

export interface ReplyingOptions extends Pick<ForkOptions, 'cwd' | 'execArgv' | 'execPath' | 'killSignal'> {
  /** The name of the process in messages. */
  readonly name: string;
  /** Environment variables, beside those of every implementation. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Whether the process leads a group of its own, which ends with it: an application may start other processes, which
   * would go on and keep the pipes open. Default false.
   */
  readonly leadsGroup?: boolean | undefined;
  /** How many milliseconds to wait for a reply before the process is killed; default 30000. */
  readonly deadline?: number | undefined;
}

/** A message of the child process. `call` is the number of the question; 0 says that the process is ready. */
interface Numbered {
  readonly call: number;
}

/** How many milliseconds to wait for a process to load its implementation. It is long, because many start at once. */
const START_TIMEOUT = 30_000;

/** The child processes to kill when this process ends. A child also ends when its parent disconnects. */
const running = new Set<{ kill(): void }>();
process.once('exit', () => {
  for (const each of running) each.kill();
});

/** Environment variables of every implementation. A scenario can override them. */
const DEFAULT_ENV: Readonly<Record<string, string>> = {
  // In `development`, Express writes errors to the page and to standard error. `production` hides
  // them on the page, `test` hides them on standard error.
  NODE_ENV: 'development',
  TZ: 'UTC',
};

/** A child process that calls `replyWith`: it replies to each question with a message. The constructor starts it. */
export class ReplyingProcess<Question extends { readonly type: string }, Reply extends Numbered> {
  protected readonly child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>();
  readonly #ready: Promise<unknown>;
  readonly #options: ReplyingOptions;
  #output = '';
  #lost: ImplementationLost | undefined;
  #calls = 0;

  /**
   * @param program The file to run: TypeScript in the sources, JavaScript in the compiled package.
   * @param args Its command-line arguments.
   */
  constructor(program: string, args: readonly string[], options: ReplyingOptions) {
    this.#options = options;
    const { PATH, HOME, SystemRoot, NODE_OPTIONS } = process.env;
    // Yarn Plug'n'Play puts its package resolver into NODE_OPTIONS.
    const loader = process.versions.pnp === undefined ? {} : { NODE_OPTIONS };
    this.child = fork(program, args, {
      ...options,
      env: { PATH, HOME, SystemRoot, ...loader, ...DEFAULT_ENV, ...options.env },
      execArgv: [
        '--no-warnings',
        ...(options.execArgv ?? []),
        // tsx for CommonJS modules only: it starts in a third of the time of `--import tsx`.
        ...(program.endsWith('.ts') ? ['--require', require.resolve('tsx/cjs')] : []),
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: options.leadsGroup === true && HAS_GROUPS,
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk).slice(-8000);
      });
    }
    this.#ready = this.#reply(0, 'start', START_TIMEOUT);
    // Avoids an unhandled rejection while no caller awaits the promise yet.
    this.#ready.catch(() => {});
    this.child.on('message', (message: Reply) => {
      this.#waiting.get(message.call)?.resolve(message);
      this.#waiting.delete(message.call);
    });
    this.child.on('close', (code, signal) => this.#lose(`ended with ${signal ?? `exit code ${code}`}`));
    this.child.on('error', (error) => {
      // Ignore a failed `send`: the process is about to end, and `close` then reports its exit code.
      if (this.child.pid === undefined) this.#lose(error.message);
    });
    closeAfterExit(this.child, options.leadsGroup === true);
    running.add(this);
    this.child.on('close', () => running.delete(this));
  }

  get alive(): boolean {
    return this.#lost === undefined;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Resolves once the process has loaded what it needs to reply. */
  get ready(): Promise<unknown> {
    return this.#ready;
  }

  /** @throws ImplementationLost if the process ends or does not reply in time. */
  async ask(question: Question): Promise<Reply> {
    await this.#ready;
    if (this.#lost) throw this.#lost;
    const call = ++this.#calls;
    const reply = this.#reply(call, `reply to "${question.type}"`, this.#options.deadline);
    this.child.send({ ...question, call }, () => {});
    return reply;
  }

  async stop(): Promise<void> {
    if (!this.alive) return;
    const ended = new Promise((resolve) => this.child.once('close', resolve));
    this.kill();
    await ended;
  }

  kill(): void {
    const { killSignal = 'SIGKILL', leadsGroup } = this.#options;
    if (!leadsGroup || !killGroup(this.child, killSignal)) this.child.kill(killSignal);
  }

  /** Waits for a message. Kills the process if it does not arrive in time. */
  async #reply(call: number, what: string, deadline = 30_000): Promise<Reply> {
    const timer = setTimeout(() => {
      this.#lose(`did not ${what} within ${deadline} ms`);
      this.kill();
    }, deadline);
    try {
      return await new Promise<Reply>((resolve, reject) => this.#waiting.set(call, { resolve, reject }));
    } finally {
      clearTimeout(timer);
    }
  }

  #lose(why: string): void {
    const output = this.#output.trim();
    this.#lost ??= new ImplementationLost(
      `implementation "${this.#options.name}" ${why}${output ? `; it wrote:\n${output}` : ''}`,
      why,
    );
    for (const { reject } of this.#waiting.values()) reject(this.#lost);
    this.#waiting.clear();
  }
}

/**
 * Replies to the questions of the parent process. Call this function in the child process, after the child has loaded its
 * modules.
 */
export function replyWith<Question>(work: (question: Question) => Promise<object>): void {
  // Kept, because an application does not see it: `node app.js` has no parent process to send to.
  const send = process.send?.bind(process);
  process.on('message', (question: Question & Numbered) => {
    work(question).then(
      (reply) => send?.({ ...reply, call: question.call }),
      (error) => process.stderr.write(`${error}\n`, () => process.exit(1)),
    );
  });
  process.on('disconnect', () => process.exit());
  send?.({ type: 'ready', call: 0 });
}
