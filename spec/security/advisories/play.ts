/** An attack on both implementations: the responses must be equal, and are returned to be judged. */
import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import type { ErrorRequestHandler } from 'express';
import type { Step } from '../../../parity/client/request';
import { type Bytes, type Framework, playBoth } from '../../support/both';

export type App = ReturnType<Framework>;

/**
 * Answers as [status line, ...fields, body, outcome, fault]. The application's errors stay off the terminal, and are
 * told without their frames, which differ.
 */
export function attack(build: (framework: Framework) => App, ...steps: Step[]): Promise<Bytes[]> {
  return attackIn('test', build, ...steps);
}

/** In another environment than `test`: what its pages tell. */
export async function attackIn(
  env: string,
  build: (framework: Framework) => App,
  ...steps: Step[]
): Promise<Bytes[]> {
  const { stackTraceLimit } = Error;
  const { error } = console;
  Error.stackTraceLimit = 0;
  console.error = () => undefined;
  try {
    const { reference, build: ours } = await playBoth(
      (framework) => build(framework).set('env', env) as RequestListener,
      ...steps,
    );
    expect(ours).to.deep.equal(reference);
    return ours;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    console.error = error;
  }
}

/** An application's own answer to an error: what the client is told of it. */
export const tellType: ErrorRequestHandler = (err, _req, res, _next) => {
  res.status(err.status ?? 500).send(`${err.type ?? err.message}`);
};

export function statusOf(response: Bytes | undefined): number {
  return Number(response?.[0]?.split(' ')[1]);
}

export function bodyOf(response: Bytes | undefined): string {
  return response?.at(-3) ?? '';
}

export function headerOf(response: Bytes | undefined, name: string): string | undefined {
  return response?.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
}
