/**
 * Runs applications with one implementation, and sends their results and requests to the parent process. A child
 * process, because some applications leave unhandled rejections.
 *
 * Arguments: the name of the implementation, then applications as JSON; default: those of spec/express4.json.
 */
import { inspect } from 'node:util';
import { playSteps } from '../../parity/client/exchange';
import {
  type App,
  type Clause,
  type Collected,
  HIT_PATIENCE,
  type Hit,
  NO_ANSWER,
  runProgram,
  type Sent,
} from '../../parity/scenario/program';
import { toHit, toRequest } from '../../parity/scenario/relay';
import { clauses } from '../express4.json';
import { serving } from '../support/serve';

/** A request in the format of spec/express4.json: line, headers and body. Binary bodies are base64. */
type Recorded = ReadonlyArray<string | Record<string, unknown>>;

export interface Played {
  readonly results: Record<string, string>;
  readonly requests: Record<string, Recorded[]>;
}

let collected: Collected;
process.on('deprecation' as never, (error: Error & { namespace: string }) => {
  collected.warned.push(`${error.namespace}: ${error.message}`);
});
process.on('unhandledRejection', (reason) => collected.rejections.push((reason as Error).message));
console.error = (...args: unknown[]) => collected.logged.push(args.map((arg) => inspect(arg)).join(' '));

/** Milliseconds to wait for a response. It is long, because the machine may be busy. */
const PATIENCE = 10_000;

/** Only an application whose result on Express 4 says so leaves a request without a response. */
function send(app: App, asked: Recorded, patience: number): Promise<Hit | string> {
  return serving(app, async (port) => {
    const [exchange] = await playSteps([toRequest(asked)], { port, patience });
    const { status, headers = [], body = Buffer.alloc(0) } = exchange?.response ?? {};
    return status === undefined ? NO_ANSWER : toHit({ status, headers, body });
  });
}

function record({ method, target, headers, body }: Sent): Recorded {
  const content = Buffer.isBuffer(body) ? { base64: body.toString('base64') } : body;
  const isBare = Object.keys(headers).length === 0 && content === undefined;
  return [
    `${method} ${target}`,
    ...(isBare ? [] : [headers as Record<string, unknown>]),
    ...(content === undefined ? [] : [content]),
  ];
}

async function main(): Promise<void> {
  const express = require(process.argv[2] as string);
  const played: Played = { results: {}, requests: {} };
  const given: Array<Clause & { express4?: string }> = process.argv[3]
    ? JSON.parse(process.argv[3])
    : clauses;
  for (const clause of given) {
    const { id } = clause;
    collected = { warned: [], logged: [], rejections: [] };
    const requests: Recorded[] = [];
    const patience = clause.express4?.includes(NO_ANSWER) ? HIT_PATIENCE : PATIENCE;
    const recording = (app: App, request: Sent) => {
      const asked = record(request);
      requests.push(asked);
      return send(app, asked, patience);
    };
    played.results[id] = await runProgram(clause, express, recording, collected);
    played.requests[id] = requests;
  }
  if (process.send) process.send(played, () => process.exit());
  else process.stdout.write(JSON.stringify(played.results, null, 1), () => process.exit());
}

void main();
