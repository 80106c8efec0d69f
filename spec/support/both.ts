/** Sends the same requests to Express and to this package, in this process. */
import type { RequestListener } from 'node:http';
import express from 'express';
import nozomi from 'nozomi';
import type { Exchange } from '../../parity/client/messages';
import type { Step } from '../../parity/client/request';
import { play as exchange } from './play';

export type Framework = typeof express;

/** The compared parts of a response: status line, headers as sent, body, outcome of the connection, fault. */
export type Bytes = readonly string[];

export const IMPLEMENTATIONS: Readonly<Record<'reference' | 'build', Framework>> = {
  reference: express,
  build: nozomi as unknown as Framework,
};

/** @param build Creates the application. @returns The compared parts of the responses of each implementation. */
export async function playBoth(
  build: (framework: Framework) => RequestListener,
  ...steps: readonly Step[]
): Promise<Readonly<Record<keyof typeof IMPLEMENTATIONS, Bytes[]>>> {
  return {
    reference: await play(build(IMPLEMENTATIONS.reference), steps),
    build: await play(build(IMPLEMENTATIONS.build), steps),
  };
}

export async function play(listener: RequestListener, steps: readonly Step[]): Promise<Bytes[]> {
  return (await exchange(listener, ...steps)).map(toBytes);
}

export function toBytes({ response, outcome, fault }: Exchange): Bytes {
  const headers = (response.headers ?? []).map(([name, value]) => `${name}: ${sameValue(name, value)}`);
  const { version, status, reason, body } = response;
  return [`${version} ${status} ${reason}`, ...headers, `${body?.toString('latin1')}`, outcome, fault ?? ''];
}

/** Masks the date and the name of the framework, because they differ between the implementations. */
function sameValue(name: string, value: string): string {
  if (name === 'Date') return '(now)';
  return name === 'X-Powered-By' && /^(Express|Nozomi)$/.test(value) ? '(framework)' : value;
}

/** Hides deprecation warnings during a `describe`. */
export function muteDeprecations(): void {
  const ignore = (): void => undefined;
  before(() => void process.on('deprecation', ignore));
  after(() => void process.off('deprecation', ignore));
}
