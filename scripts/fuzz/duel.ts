/** Two implementations, the same bytes to both: what came back, place by place, and whether it is the same each time. */
import { join } from 'node:path';
import { type Exchange, playSteps } from '../../parity/client/exchange';
import { aborted, get, onOneConnection, pipelined, raw, type Step } from '../../parity/client/request';
import {
  BUILD,
  type Implementation,
  ImplementationProcess,
  REFERENCE,
} from '../../parity/implementations/implementations';
import { type Delays, MONITOR, UNDER_FUZZ } from './application';
import type { Talk } from './grammar';

const APPLICATION = join(__dirname, 'application.ts');

/** Milliseconds to wait for an answer: of many, most of which come at once; of one that is looked at again. */
export const BRIEF = 120;
export const LONG = 1200;
/** Of an implementation that is asked how it is. */
const ANSWER = 10_000;

/** A talk on which the implementations differ, and what each said. */
export interface Difference {
  readonly talk: Talk;
  readonly wanted: readonly string[];
  readonly came: readonly string[];
}

type Opened = { readonly call: number; readonly port: number };

/** An application in each implementation, for as many talks as are played until it is closed. */
export interface Stage {
  /** @returns Every implementation's answers as text, those of the reference first. */
  play(talk: Talk, patience: number): Promise<[string[], string[]]>;
  /** @returns What each implementation wrote: log lines in an order of their own, and what nobody caught. */
  close(): Promise<[string[], string[]]>;
}

export class Duel {
  readonly #implementations: readonly ImplementationProcess[];
  #monitors: Opened[] = [];

  constructor(build: Implementation = BUILD) {
    this.#implementations = [REFERENCE, build].map(
      (spec) => new ImplementationProcess(spec, { deadline: 60_000 }),
    );
  }

  async start(): Promise<void> {
    this.#monitors = await Promise.all(
      this.#implementations.map((implementation) => open(implementation, MONITOR)),
    );
    await this.delays();
  }

  async open(): Promise<Stage> {
    const opened = await Promise.all(
      this.#implementations.map((implementation) => open(implementation, UNDER_FUZZ)),
    );
    let connections = 0;
    return {
      play: async (talk, patience) => {
        connections++;
        const seen = opened.map(({ port }) => playSteps([toStep(talk)], { port, patience }));
        const [wanted, came] = await Promise.all(seen);
        return [toText(wanted ?? []), toText(came ?? [])];
      },
      close: async () => {
        const captured = await Promise.all(
          this.#implementations.map((implementation, index) =>
            implementation.close({ type: 'opened', ...(opened[index] as Opened) }, connections),
          ),
        );
        const [wanted, came] = captured.map(({ log, uncaught }) => [...[...log].sort(), ...uncaught]);
        return [wanted ?? [], came ?? []];
      },
    };
  }

  /** How long each event loop was kept since the last question. */
  async delays(): Promise<[Delays, Delays]> {
    const told = this.#monitors.map(async ({ port }) => {
      // A connection of its own: the implementation may end a kept one just when the question is written.
      const [exchange] = await playSteps([get('/', { Connection: 'close' })], { port, patience: ANSWER });
      return JSON.parse(`${exchange?.answer.body}`) as Delays;
    });
    return (await Promise.all(told)) as [Delays, Delays];
  }

  async stop(): Promise<void> {
    await Promise.all(this.#implementations.map((implementation) => implementation.stop()));
  }
}

/**
 * Look again, twice and with patience, at a talk on which the implementations differed.
 *
 * @returns The difference; undefined where an implementation did not say the same each time: a race on the wire (an answer
 *   overtaken by a reset), not behaviour.
 */
export async function confirm(stage: Stage, talk: Talk): Promise<Difference | undefined> {
  const [first, second] = [await stage.play(talk, LONG), await stage.play(talk, LONG)];
  const isSteady = isSame(first[0], second[0]) && isSame(first[1], second[1]);
  if (!isSteady || isSame(first[0], first[1])) return undefined;
  return { talk, wanted: first[0], came: first[1] };
}

/**
 * Whether the application answered all of a talk and nothing broke. What is logged of a connection that broke depends
 * on when that was noticed: in the same turn of the event loop as the answer, or in the next.
 */
export function isWhole(answers: readonly string[]): boolean {
  return answers.every((text) => /\((?:kept|closed) \)$/.test(text) && text.includes('X-Powered-By'));
}

export function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

async function open(implementation: ImplementationProcess, name: string): Promise<Opened> {
  await implementation.ready;
  const opened = await implementation.open(APPLICATION, name);
  if (opened.type === 'refused') throw new Error(`${implementation.spec.name}: ${opened.threw}`);
  return opened;
}

function toStep({ requests, pipelined: atOnce, leavesAfter }: Talk): Step {
  const asked = requests.map((bytes, index) => {
    const isLast = index === requests.length - 1;
    return isLast && leavesAfter !== undefined ? aborted(raw(bytes), leavesAfter) : raw(bytes);
  });
  return atOnce ? pipelined(...asked) : onOneConnection(...asked);
}

/** One text for each answer: status line, fields, framing, body, fate. */
function toText(exchanges: readonly Exchange[]): string[] {
  return exchanges.map(({ answer, fate, fault, surplus }) => {
    const { version, status, reason, fields = [], interim = [], framing, body, trailers = [] } = answer;
    return [
      ...interim.map((head) => `${head.status} ${head.reason}`),
      `${version} ${status} ${reason} ${framing}`,
      ...[...fields, ...trailers].map(([name, value]) => `${name}: ${value}`),
      '',
      body?.toString('latin1') ?? '',
      // Whether a connection that the server leaves ends or is reset depends on what had arrived by then.
      `(${(fault && fate !== 'silent') || framing === 'close' ? 'cut' : fate} ${surplus?.toString('latin1') ?? ''})`,
    ]
      .join('\r\n')
      .replace(/^Date: .*$/gm, 'Date: now')
      .replace(/^X-Powered-By: (?:Express|Nozomi)$/gm, 'X-Powered-By: framework');
  });
}
