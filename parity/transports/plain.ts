/**
 * Finds scenarios that every transport can play: their requests and responses do not depend on properties of a
 * connection.
 */
import type { Exchange } from '../client/messages';
import { headerOf } from '../client/response';
import type { Observation } from '../implementations/protocol';
import type { Entry } from '../scenario/catalogue';
import type { Transport } from './transport';

/**
 * @returns The reason why a scenario cannot be played, judged by its observation over HTTP/1.1; undefined if it can.
 */
export function reasonNotPlain(
  { scenario }: Entry,
  { threw, lost, exchanges }: Observation,
  transport: Transport,
): string | undefined {
  if (
    scenario.requests.some((step) => typeof step === 'object' && step.kind === 'connection' && step.pipelined)
  )
    return 'pipelined requests';
  if (lost !== undefined) return 'a lost process';
  if (threw !== undefined) return 'an application that is not built';
  for (const exchange of exchanges) {
    const reason = reasonOf(exchange) ?? (transport === 'fetch' ? reasonNotFetch(exchange) : undefined);
    if (reason) return reason;
  }
  return undefined;
}

function reasonOf({ request, response, outcome, fault, surplus }: Exchange): string | undefined {
  const { method, target, headers } = request;
  const hosts = headers.filter(([name]) => name.toLowerCase() === 'host');
  if (request.bytes) return 'raw bytes of HTTP/1.1';
  if (request.abort !== undefined) return 'a client that leaves';
  if (hosts.length !== 1 || hosts[0]?.[1] === '') return 'not one Host';
  if (target[0] !== '/') return 'a target that is no path';
  if (/[^\x21-\x7e]/.test(target)) return 'a target of other characters than ASCII';
  if (headerOf(headers, 'upgrade') !== undefined || method === 'CONNECT') return 'another protocol';
  if (headerOf(headers, 'expect') !== undefined) return 'an expectation of the server';
  if (response.status === undefined || fault !== undefined || surplus)
    return 'no complete response over HTTP/1.1';
  if (outcome !== 'kept' && outcome !== 'closed') return 'no complete response over HTTP/1.1';
  return undefined;
}

/** The reason why `new Request` would refuse or change the request. */
function reasonNotFetch({ request: { method, target, payload } }: Exchange): string | undefined {
  if (method === 'TRACE') return 'a method that Request refuses';
  if ((method === 'GET' || method === 'HEAD') && payload.length > 0) return 'a body that Request refuses';
  if (target.includes('#') || new URL(`http://a${target}`).href !== `http://a${target}`)
    return 'a target that Request changes';
  return undefined;
}
