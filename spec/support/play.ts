/** Raw requests to an application of this process: what scenarios play between processes. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import framework from 'nozomi';
import { compare } from '../../parity/compare';
import { type Exchange, playSteps } from '../../parity/exchange';
import { normalise } from '../../parity/normalise';
import type { Step } from '../../parity/request';
import type { Framework } from '../../parity/scenario';
import { BUILD, REFERENCE, type WorldSpec } from '../../parity/worlds';

export type { Framework };

/** Milliseconds an answer may take, on a machine that does other things too. */
export const PATIENCE = 10_000;

/** Plays to a server of its own, on a free port. */
export async function play(listener: RequestListener, ...steps: Step[]): Promise<Exchange[]> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    return await playSteps(steps, { port, patience: PATIENCE });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/**
 * Plays to an application over this framework and to the same one over the reference, and minds every
 * difference: status line, fields in order, body, fate of the connection.
 *
 * @returns What this framework answered.
 */
export async function playBeside(
  build: (framework: Framework) => RequestListener,
  ...steps: Step[]
): Promise<Exchange[]> {
  const wanted = observed(await play(build(express), ...steps), REFERENCE);
  const came = observed(await play(build(framework as unknown as Framework), ...steps), BUILD);
  expect(compare(wanted, came)).to.deep.equal([]);
  return [...came.exchanges];
}

function observed(exchanges: Exchange[], world: WorldSpec): ReturnType<typeof normalise> {
  const nothing = { log: [], stdout: [], stderr: [], deprecations: [], uncaught: [] };
  return normalise({ exchanges, ...nothing }, world);
}

/** The body of an answer as JSON. */
export function jsonOf(exchange: Exchange | undefined): unknown {
  return JSON.parse(textOf(exchange));
}

/** The body of an answer as text. */
export function textOf(exchange: Exchange | undefined): string {
  return exchange?.answer.body?.toString() ?? '(no answer)';
}
