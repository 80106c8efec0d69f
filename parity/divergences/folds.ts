/**
 * Differences that a transport can cause in any scenario. Parity removes them from both observations before comparing.
 * docs/transports.md lists them, together with those of `transports.ts`.
 */
import type { Exchange, HeaderList } from '../client/messages';
import type { Observation } from '../implementations/protocol';
import type { Transport } from '../transports/transport';
import type { Fold } from './divergence';

const NOT_HTTP1 = ['h2', 'h2c', 'fetch'] as const;
const HTTP2 = ['h2', 'h2c'] as const;
const CONNECTION_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'date']);

export const FOLDS: readonly Fold[] = [
  {
    id: 'connection',
    transports: NOT_HTTP1,
    differs:
      'Connection, Keep-Alive, Transfer-Encoding and Upgrade of a response are not sent; `res.get` still reads what was set.',
    why: 'They describe an HTTP/1.1 connection. RFC 9113 §8.2.2 forbids them.',
    exchange: (exchange) =>
      withHeaders(
        { ...exchange, outcome: 'kept', response: { ...exchange.response, framing: 'none' } },
        (headers) => headers.filter(([name]) => !CONNECTION_HEADERS.has(name.toLowerCase())),
      ),
  },
  {
    id: 'names',
    transports: NOT_HTTP1,
    differs: 'Names of headers are sent in lower case.',
    why: 'RFC 9113 §8.2.1; the names of a Headers object are in lower case.',
    exchange: (exchange) =>
      withHeaders(exchange, (headers) => headers.map(([name, value]) => [name.toLowerCase(), value])),
  },
  {
    id: 'order',
    transports: ['fetch'],
    differs: 'Headers are sorted by name, and several with one name are joined, except Set-Cookie.',
    why: 'A Headers object stores them in this way.',
    exchange: (exchange) =>
      withHeaders(exchange, (headers) =>
        joined(headers).sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)),
      ),
  },
  {
    id: 'reason',
    transports: NOT_HTTP1,
    differs: '`res.statusMessage` is not sent over HTTP/2; fetch has it as `statusText`.',
    why: 'HTTP/2 has no reason phrase. RFC 9113 §8.3.2',
    exchange: ({ response, ...exchange }) => ({
      ...exchange,
      response: {
        ...response,
        ...(response.status === undefined ? {} : { version: 'HTTP', reason: '' }),
        ...(response.interim && { interim: response.interim.map((head) => ({ ...head, reason: '' })) }),
      },
    }),
  },
  {
    id: 'status',
    transports: NOT_HTTP1,
    differs:
      'A final status below 200 or above 599 is sent as 500, and one line is written to standard error.',
    why: 'HTTP/2 has no status 101, and its clients, like the class Response, accept no status above 599. RFC 9110 §15',
    exchange: ({ response, ...exchange }) => ({
      ...exchange,
      response: {
        ...response,
        ...(response.status !== undefined && { status: sentStatus(response.status) }),
      },
    }),
    line: (line) => (/: status \d+ cannot be sent over /.test(line) ? undefined : line),
  },
  {
    id: 'no-content',
    transports: NOT_HTTP1,
    differs: 'Content-Length of a 204 is not sent; a 205 has no body.',
    why: 'RFC 9110 §8.6, §15.3.6; an HTTP/2 client would treat the stream as broken.',
    exchange: (exchange) => {
      const { status } = exchange.response;
      if (status !== 204 && status !== 205) return exchange;
      const empty = withHeaders(exchange, (headers) =>
        headers.filter(([name]) => name.toLowerCase() !== 'content-length'),
      );
      return { ...empty, response: { ...empty.response, body: Buffer.alloc(0) } };
    },
  },
  {
    id: 'version',
    transports: HTTP2,
    differs: '`req.httpVersion` is "2.0", and `:http-version` of the logger.',
    why: 'The request was sent over HTTP/2.',
    line: (line) => line.replaceAll('HTTP/2.0', 'HTTP/1.1'),
  },
  {
    id: 'interim',
    transports: ['fetch'],
    differs: 'Informational responses (such as 103 Early Hints) and trailers are not sent.',
    why: 'The fetch API has neither.',
    exchange: ({ response, ...exchange }) => ({
      ...exchange,
      response: { ...response, interim: [], trailers: [] },
    }),
  },
];

/** Removes the differences of a transport from an observation. */
export function fold(observation: Observation, transport: Transport): Observation {
  const folds = FOLDS.filter(({ transports }) => transports.includes(transport));
  const exchanges = observation.exchanges.map((exchange) =>
    folds.reduce((now, { exchange: change }) => change?.(now) ?? now, exchange),
  );
  const lines = (list: readonly string[]): readonly string[] =>
    folds.reduce((all, { line }) => (line ? all.flatMap((one) => line(one) ?? []) : all), list);
  return {
    ...observation,
    exchanges,
    log: lines(observation.log),
    stdout: lines(observation.stdout),
    stderr: lines(observation.stderr),
  };
}

function sentStatus(status: number): number {
  return status < 200 || status > 599 ? 500 : status;
}

function withHeaders(exchange: Exchange, change: (headers: HeaderList) => HeaderList): Exchange {
  const { response } = exchange;
  return {
    ...exchange,
    response: {
      ...response,
      ...(response.headers && { headers: change(response.headers) }),
      ...(response.trailers && { trailers: change(response.trailers) }),
      ...(response.interim && {
        interim: response.interim.map((head) => ({ ...head, headers: change(head.headers) })),
      }),
    },
  };
}

function joined(headers: HeaderList): Array<readonly [string, string]> {
  const all: Array<readonly [string, string]> = [];
  for (const [name, value] of headers) {
    const at = name === 'set-cookie' ? -1 : all.findIndex(([other]) => other === name);
    if (at === -1) all.push([name, value]);
    else all[at] = [name, `${all[at]?.[1]}, ${value}`];
  }
  return all;
}
