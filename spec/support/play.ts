/** Sends requests to an application in this process, with the HTTP client of the parity suite. */
import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import framework from 'nozomi';
import { playSteps } from '../../parity/client/exchange';
import type { Exchange } from '../../parity/client/messages';
import type { Step } from '../../parity/client/request';
import { BUILD, REFERENCE } from '../../parity/implementations/implementations';
import type { Implementation } from '../../parity/implementations/protocol';
import { compare } from '../../parity/judge/compare';
import { normalise } from '../../parity/judge/normalise';
import type { Framework } from '../../parity/scenario/scenario';
import { serving } from './serve';

export type { Framework };

/** Milliseconds to wait for a response. It is long, because the machine may be busy. */
export const PATIENCE = 10_000;

/** Sends requests to a new server on a free port. */
export async function play(listener: RequestListener, ...steps: Step[]): Promise<Exchange[]> {
  return serving(listener, (port) => playSteps(steps, { port, patience: PATIENCE }));
}

/**
 * Sends requests to an application with this package and with Express. Checks that status line, headers, body and
 * outcome of the connection are equal.
 *
 * @returns The exchanges with this package.
 */
export async function playBeside(
  build: (framework: Framework) => RequestListener,
  ...steps: Step[]
): Promise<Exchange[]> {
  const expected = observed(await play(build(express), ...steps), REFERENCE);
  const actual = observed(await play(build(framework as unknown as Framework), ...steps), BUILD);
  expect(compare(expected, actual)).to.deep.equal([]);
  return [...actual.exchanges];
}

function observed(exchanges: Exchange[], implementation: Implementation): ReturnType<typeof normalise> {
  const nothing = { log: [], stdout: [], stderr: [], deprecations: [], uncaught: [] };
  return normalise({ exchanges, ...nothing }, implementation);
}

/** @returns The body of a response as text; `(no answer)` without a body. */
export function textOf(exchange: Exchange | undefined): string {
  return exchange?.response.body?.toString() ?? '(no answer)';
}
