/** Sends attacks to both implementations, and checks that the responses are equal. */
import type { RequestListener } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { ErrorRequestHandler } from 'express';
import type { Step } from '../../../parity/client/request';
import { type Bytes, type Framework, playBoth } from '../../support/both';

export type App = ReturnType<Framework>;

/**
 * Sends requests to both implementations, in the environment `test`.
 *
 * @returns Each response as [status line, ...headers, body, outcome, fault], without stack frames.
 */
export function attack(build: (framework: Framework) => App, ...steps: Step[]): Promise<Bytes[]> {
  return attackIn('test', build, ...steps);
}

/** Like `attack`, in another environment. */
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
    // finalhandler calls console.error in a later turn: it is replaced until then.
    await setImmediate();
    return ours;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    console.error = error;
  }
}

/** An error handler that responds with the status and type of the error. Defaults: 500, and its message. */
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
