/**
 * Runs applications with one implementation, and sends their results and requests to the parent process. A child
 * process, because some applications leave unhandled rejections.
 *
 * Arguments: the name of the implementation, then applications as JSON; default: those of spec/express4.json.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
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
import { clauses } from '../express4.json';

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

/** Only after an unhandled rejection can an application leave a request without a response. */
function send(app: App, { method, target, headers, body }: Sent): Promise<Hit | string> {
  return new Promise((resolve) => {
    let timer = setTimeout(giveUp, PATIENCE);
    function onRejection(): void {
      clearTimeout(timer);
      timer = setTimeout(giveUp, HIT_PATIENCE);
    }
    function settle(result: Hit | string): void {
      clearTimeout(timer);
      process.off('unhandledRejection', onRejection);
      server.close();
      resolve(result);
    }
    function giveUp(): void {
      server.closeAllConnections();
      settle(NO_ANSWER);
    }
    process.on('unhandledRejection', onRejection);
    const server = http.createServer(app).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const options = {
        ...{ port, host: '127.0.0.1', method, path: target },
        headers: { connection: 'close', ...headers },
        setHost: !('host' in headers),
      };
      const req = http.request(options, (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk) => chunks.push(chunk));
        res.on('end', () => {
          const { statusCode: status, headers: received } = res;
          const body = Buffer.concat(chunks).toString();
          settle({ status, type: received['content-type'], headers: received, body });
        });
      });
      req.on('error', () => settle(NO_ANSWER));
      req.end(body);
    });
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
  const given: Clause[] = process.argv[3] ? JSON.parse(process.argv[3]) : clauses;
  for (const clause of given) {
    const { id } = clause;
    collected = { warned: [], logged: [], rejections: [] };
    const requests: Recorded[] = [];
    const recording = (app: App, request: Sent) => {
      requests.push(record(request));
      return send(app, request);
    };
    played.results[id] = await runProgram(clause, express, recording, collected);
    played.requests[id] = requests;
  }
  if (process.send) process.send(played, () => process.exit());
  else process.stdout.write(JSON.stringify(played.results, null, 1), () => process.exit());
}

void main();
