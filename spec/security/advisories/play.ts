/** Sends an attack to both implementations, checks that the responses are equal, and returns them. */
import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import type { ErrorRequestHandler } from 'express';
import type { Step } from '../../../parity/client/request';
import { type Bytes, type Framework, playBoth } from '../../support/both';

export type App = ReturnType<Framework>;

/**
 * Responses as [status line, ...headers, body, outcome, fault]. The errors of the application are not printed, and
 * are compared without stack frames, which differ.
 */
export function attack(build: (framework: Framework) => App, ...steps: Step[]): Promise<Bytes[]> {
  return attackIn('test', build, ...steps);
}

/** The environment, for pages that differ from those of `test`. */
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

/** The response that an application itself sends for an error. */
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
