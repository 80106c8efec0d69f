/** Compares the responses to errors of any content with Express, and requires a response where Express has none. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Case, cases } from './hostile-errors';

const ROOT = join(__dirname, '..', '..');
const SERVER = join(__dirname, '..', 'support', 'failing-application.ts');

/** The implementations, with the version of Express that each is compared with. */
const PAIRS = {
  nozomi: 'express',
  'nozomi/4': 'express4',
  'nozomi/3': 'express3',
} as const;

interface Response {
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly headers: readonly string[];
  readonly body: string;
}

/** What a client sees: a response, the code of an error of the connection, or nothing. */
type Seen = Response | string;

interface Outcome {
  readonly seen: Seen;
  readonly uncaught: readonly string[];
}

class Server {
  static async start(implementation: string, env: string): Promise<Server> {
    const child = fork(SERVER, [implementation], {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: env },
      execArgv: ['--require', 'tsx/cjs'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const [port] = (await once(child, 'message')) as [number];
    return new Server(child, port);
  }

  readonly #child: ChildProcess;
  readonly #port: number;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.#port = port;
  }

  stop(): void {
    this.#child.disconnect();
  }

  /** Sends a request. Waits for its response or for an uncaught error. */
  async outcomeOf(one: Case): Promise<Outcome> {
    const { method } = one;
    const asked = http.request({
      method,
      host: '127.0.0.1',
      port: this.#port,
      path: '/',
      agent: false,
      headers: {
        'X-Case': encodeURIComponent(JSON.stringify(one)),
        ...(method === 'POST' && { 'Content-Length': 4 }),
      },
    });
    const response = read(asked);
    asked.end(method === 'POST' ? 'body' : undefined);
    const uncaught: string[] = [];
    let seen: Seen | undefined;
    while (seen === undefined && uncaught.length === 0) {
      seen = await Promise.race([response, pause(20, undefined)]);
      uncaught.push(...(await this.#uncaught()));
    }
    asked.destroy();
    return { seen: seen ?? 'nothing', uncaught };
  }

  async #uncaught(): Promise<string[]> {
    const found = await read(
      http.get({ host: '127.0.0.1', port: this.#port, path: '/uncaught', agent: false }),
    );
    if (typeof found === 'string') throw new Error(`the server does not respond: ${found}`);
    return JSON.parse(found.body);
  }
}

function read(asked: http.ClientRequest): Promise<Seen> {
  return new Promise((resolve) => {
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
    asked.on('response', (response) => {
      const { statusCode, statusMessage, rawHeaders } = response;
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', (error: NodeJS.ErrnoException) => resolve(`begun, then ${error.code}`));
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        resolve({
          status: statusCode,
          reason: statusMessage,
          headers: masked(rawHeaders, body),
          body: withoutFrames(body),
        });
      });
    });
  });
}

/** A stack frame in an error page. */
const FRAMES = /<br> &nbsp; &nbsp;at .*/;

function withoutFrames(body: string): string {
  return body.replace(FRAMES, '');
}

/** Joins names and values, without the values that differ between the implementations. */
function masked(raw: readonly string[], body: string): string[] {
  const lines: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const isVaried =
      /^(Date|X-Powered-By)$/.test(`${raw[i]}`) ||
      (raw[i] === 'Content-Length' && (FRAMES.test(body) || body === ''));
    lines.push(isVaried ? `${raw[i]}` : `${raw[i]}: ${raw[i + 1]}`);
  }
  return lines;
}

const RUNS = ['development', 'production'].flatMap((env) =>
  Object.entries(PAIRS).map(([nozomi, express]) => ({ env, nozomi, express })),
);

for (const { env, nozomi, express } of RUNS) {
  describe(`${nozomi} in ${env}, the response to an error`, () => {
    let [ours, theirs]: Server[] = [];
    before(async () => {
      [ours, theirs] = await Promise.all([Server.start(nozomi, env), Server.start(express, env)]);
    });
    after(() => {
      ours?.stop();
      theirs?.stop();
    });

    proves('CVE-2026-62595 F-7-01');
    it(`is that of ${express}, or an error page if ${express} throws`, async () => {
      const counts = { answered: 0, uncaught: 0 };
      await fc.assert(
        fc.asyncProperty(cases, async (one) => {
          const expected = (await theirs?.outcomeOf(one)) as Outcome;
          const actual = (await ours?.outcomeOf(one)) as Outcome;
          expect(actual.uncaught).to.deep.equal([]);
          if (expected.uncaught.length === 0) {
            counts.answered++;
            expect(JSON.stringify(actual.seen, null, 1)).to.equal(JSON.stringify(expected.seen, null, 1));
          } else {
            counts.uncaught++;
            expect(isAnswered(one, actual.seen), JSON.stringify(actual.seen)).to.equal(true);
          }
        }),
        { numRuns: 120 },
      );
      // The cases show both.
      expect(counts.answered).to.be.above(10);
      expect(counts.uncaught).to.be.above(10);
    });
  });
}

/** Whether the client receives an error, if the response has not begun and the error does not spoil its framing. */
function isAnswered({ way, thrown }: Case, seen: Seen): boolean {
  const { headers } = thrown.fields;
  if (way === 'begun' || 'Transfer-Encoding' in Object(headers?.value)) return seen !== 'nothing';
  return typeof seen !== 'string' && Number(seen.status) >= 400;
}
