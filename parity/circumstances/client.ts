/** Clients that leave early, cut their requests into packets, or send the next request before the response. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Observation } from '../implementations/protocol';
import type { Entry } from '../scenario/catalogue';
import type { Circumstance, Restore, Scene } from './circumstance';

export const PIPELINED_2: Circumstance = { what: 'each request is sent twice at once', client: { times: 2 } };
export const PIPELINED_10: Circumstance = {
  what: 'each request is sent ten times at once',
  // Node.js warns of the listeners of Express, which has one for each response that waits.
  hides: /^MaxListenersExceededWarning: /,
  client: { times: 10 },
  reasonNotPlayed: ({ section }, { exchanges }) => {
    if (/file|static/.test(section)) return 'files, which change while the next request arrives';
    return exchanges.some(({ response: { interim } }) => interim)
      ? 'Early Hints, which overtake responses'
      : undefined;
  },
};
export const CUT_BYTES: Circumstance = {
  what: 'each byte of a request is a packet',
  client: { cut: 'bytes' },
  reasonNotPlayed: reasonNotCut,
};
export const CUT_HEAD: Circumstance = {
  what: 'the body arrives after the head',
  client: { cut: 'head' },
  // Node.js may take a body that the application does not read, and that arrives after the response, for the next request.
  fold: ({ surplus: _surplus, ...exchange }) => exchange,
  reasonNotPlayed: reasonNotCut,
};

export const LEFT_BEFORE: Circumstance = {
  what: 'the client has left before the application gets the request',
  client: { leaves: 'sent' },
  afterListening: (server, scene) =>
    interpose(server, scene, (call, { socket }) => {
      if (socket.destroyed) call();
      else socket.once('close', call);
    }),
  reasonNotPlayed: reasonNotLeft,
};

export const LEFT_NOW: Circumstance = {
  what: 'the socket is destroyed in the turn in which the application gets the request',
  client: { leaves: 'sent' },
  afterListening: (server, scene) =>
    interpose(server, scene, (call, { socket }) => {
      socket.destroy();
      call();
    }),
  reasonNotPlayed: reasonNotLeft,
};

export const LEFT_DURING: Circumstance = {
  what: 'the client leaves after the application got the request, before a later turn',
  client: { leaves: 'sent' },
  afterListening: (server, scene) =>
    interpose(server, scene, (call, { socket }) => {
      call();
      socket.destroy();
    }),
  reasonNotPlayed: reasonNotLeft,
};

export const LEFT_AFTER: Circumstance = {
  what: 'the client leaves with the head of the response',
  client: { leaves: 'head' },
  afterListening: (server, scene) => interpose(server, scene, (call) => call()),
  reasonNotPlayed: reasonNotLeft,
};

/** How many milliseconds handlers have to end their responses, after the client has left. */
const PATIENCE = 300;

/**
 * Decides when the application gets a request. Prints the state of each response before the server closes, because the
 * client receives none.
 */
function interpose(
  server: Server,
  { print, atClose }: Scene,
  when: (call: () => void, req: IncomingMessage) => void,
): Restore | undefined {
  const responses: Array<[IncomingMessage, ServerResponse]> = [];
  for (const listener of server.listeners('request') as RequestListener[]) {
    server.off('request', listener);
    server.on('request', (req, res) => {
      responses.push([req, res]);
      when(() => listener.call(server, req, res), req);
    });
  }
  atClose(async () => {
    for (let waited = 0; waited < PATIENCE && !responses.every(([, res]) => res.writableEnded); waited += 5)
      await pause(5);
    // Sorted, because the client leaves one connection and opens the next at once.
    for (const state of responses.map(([req, res]) => stateOf(req, res)).sort()) print(state);
  });
  return undefined;
}

function stateOf({ method }: IncomingMessage, res: ServerResponse): string {
  const { statusCode, headersSent, writableEnded } = res;
  const names = res.getHeaderNames().join(', ');
  return `${method} ${statusCode} headersSent: ${headersSent}, writableEnded: ${writableEnded}, ${names}`;
}

function reasonNotLeft(
  { section, scenario: { requests } }: Entry,
  { exchanges }: Observation,
): string | undefined {
  if (/file|static/.test(section)) return 'files, which are read while the next request arrives';
  if (requests.some((step) => typeof step === 'function')) return 'requests made of earlier responses';
  if (requests.some((step) => 'kind' in step && step.kind === 'connection'))
    return 'several requests on a connection';
  if (exchanges.some(({ request }) => request.abort !== undefined)) return 'a client that disconnects';
  if (exchanges.some(({ response: { status } }) => status === undefined || status === 400 || status === 101))
    return 'a request that Node.js refuses';
  // The client does not receive the stack, so that nothing removes its length from a log.
  if (exchanges.some(({ response: { body } }) => body?.includes('(stack)')))
    return 'stacks, whose length differs';
  if (exchanges.some(({ request: { payload } }) => payload.length > 0))
    return 'a body, of which an unknown part arrives';
  return undefined;
}

function reasonNotCut(_entry: Entry, { exchanges }: Observation): string | undefined {
  const isRefused = exchanges.some(
    ({ request: { payload }, response: { status = 400 } }) => payload.length > 0 && status >= 400,
  );
  return isRefused ? 'a refused body, of which an unknown part arrives' : undefined;
}
