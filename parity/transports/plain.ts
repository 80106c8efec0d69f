/** Selects the scenarios to play over a transport: those that do not depend on details of an HTTP/1.1 connection. */
import type { Exchange } from '../client/messages';
import { headerOf } from '../client/response';
import type { Observation } from '../implementations/protocol';
import type { Entry } from '../scenario/catalogue';
import type { Transport } from './transport';

/**
 * Finds the reason why a scenario is not played over a transport.
 *
 * @param observation What parity observed over HTTP/1.1.
 * @returns The reason, such as `pipelined requests`; undefined if the scenario is played.
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
  if (lost !== undefined) return 'a process that ends';
  if (threw !== undefined) return 'an application that cannot be built';
  for (const exchange of exchanges) {
    const reason = reasonOf(exchange) ?? (transport === 'fetch' ? reasonNotFetch(exchange) : undefined);
    if (reason) return reason;
  }
  return undefined;
}

/** The headers of requests that Node.js refuses to send twice over HTTP/2. */
// biome-ignore format: a table
const SINGLE = new Set([
  'authorization', 'content-length', 'content-range', 'content-type', 'date', 'from', 'if-match',
  'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'range', 'referer',
  'user-agent',
]);

function reasonOf({ request, response, outcome, fault, surplus }: Exchange): string | undefined {
  const { method, target, headers } = request;
  const hosts = headers.filter(([name]) => name.toLowerCase() === 'host');
  if (request.bytes) return 'raw bytes of HTTP/1.1';
  if (request.abort !== undefined) return 'a client that disconnects';
  if (hosts.length !== 1 || hosts[0]?.[1] === '') return 'no Host header, or several';
  const names = headers.map(([name]) => name.toLowerCase());
  if (names.some((name, index) => SINGLE.has(name) && names.indexOf(name) < index))
    return 'a repeated header that HTTP/2 refuses';
  if (target[0] !== '/') return 'a target that is not a path';
  if (/[^\x21-\x7e]/.test(target)) return 'a target with characters outside ASCII';
  if (headerOf(headers, 'upgrade') !== undefined || method === 'CONNECT') return 'another protocol';
  if (headerOf(headers, 'expect') !== undefined) return 'an Expect header';
  if (response.status === undefined || fault !== undefined || surplus)
    return 'no complete response over HTTP/1.1';
  if (outcome !== 'kept' && outcome !== 'closed') return 'no complete response over HTTP/1.1';
  return undefined;
}

/** Finds the reason why the constructor of `Request` would refuse or change the request; undefined if there is none. */
function reasonNotFetch({ request: { method, target, payload } }: Exchange): string | undefined {
  if (method === 'TRACE') return 'a method that Request refuses';
  if ((method === 'GET' || method === 'HEAD') && payload.length > 0) return 'a body that Request refuses';
  if (target.includes('#') || new URL(`http://a${target}`).href !== `http://a${target}`)
    return 'a target that Request changes';
  return undefined;
}
