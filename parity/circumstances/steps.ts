/** Changes how the client sends the requests of a scenario. */
import type { Exchange, Request } from '../client/messages';
import { aborted, type Connection, type RequestSource, type Step } from '../client/request';
import type { Client } from './circumstance';

export function withClient(steps: readonly Step[], { times = 1, leaves }: Client): readonly Step[] {
  if (times === 1 && leaves === undefined) return steps;
  return steps.map((step): Step => {
    const { requests, ...rest }: Connection =
      typeof step === 'object' && step.kind === 'connection'
        ? step
        : { kind: 'connection', requests: [step], pipelined: false };
    if (leaves !== undefined) return { ...rest, requests: requests.map((one) => withAbort(one, leaves)) };
    return {
      ...rest,
      pipelined: true,
      requests: requests.flatMap((one) => Array(times).fill(firstOf(one, times))),
    };
  });
}

function withAbort(source: RequestSource, leaves: NonNullable<Client['leaves']>): RequestSource {
  return typeof source === 'function' ? (seen) => aborted(source(seen), leaves) : aborted(source, leaves);
}

/** A function that makes a request gets the exchanges of the first of the equal requests. */
function firstOf(source: RequestSource, times: number): RequestSource {
  if (typeof source !== 'function') return source;
  return (seen: readonly Exchange[]): Request =>
    source(seen.filter((_exchange, index) => index % times === 0));
}
