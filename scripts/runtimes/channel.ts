/**
 * Runs in Bun, Deno and workerd beside child.ts: receives the messages of host.ts, and takes the place of
 * parity/transports/serve.ts.
 */
import { createServer, Server as HttpServer, type RequestListener } from 'node:http';
import type { FromChild, ToChild } from '../../parity/implementations/protocol';
import type { Built } from '../../parity/scenario/scenario';
import type { Transport } from '../../parity/transports/transport';

type Handler = (request: Request) => Promise<Response>;

/** A request for the handler `toFetch(app)`; its body is in base64. */
export interface RequestMessage {
  readonly type: 'request';
  readonly url: string;
  readonly method: string;
  readonly headers: Array<[string, string]>;
  readonly body: string | null;
}

/** The response of the handler, or the error with which it rejected. */
export type ResponseMessage =
  | (Pick<Response, 'status' | 'statusText'> & Pick<RequestMessage, 'headers' | 'body'>)
  | { readonly rejected: string };

const { args, env } = JSON.parse(process.env.CHILD ?? '');
Object.assign(process.env, env);
[process.argv[2], process.argv[3]] = args;

let handler: Handler | undefined;
/** The server of `node:http` that was created last. */
export let nodeServer: HttpServer | undefined;

let receive: (message: ToChild) => void = () => {};
const waiting = new Map<number, (reply: FromChild) => void>();
const { on } = process;
Object.assign(process, {
  on(event: string, listener: typeof receive) {
    if (event === 'message') receive = listener;
    else Reflect.apply(on, process, [event, listener]);
    return process;
  },
  send(reply: FromChild) {
    if (reply.type !== 'ready') waiting.get(reply.call)?.(reply);
  },
});

/** @returns The reply to a message of host.ts. */
export function reply(message: ToChild | RequestMessage): Promise<FromChild | ResponseMessage> {
  if (message.type === 'request') return play(message);
  return new Promise((resolve) => {
    waiting.set(message.call, resolve);
    receive(message);
  });
}

async function play({ url, method, headers: sent, body }: RequestMessage): Promise<ResponseMessage> {
  try {
    const request = new Request(url, { method, headers: sent, body: body && Buffer.from(body, 'base64') });
    const response = (await handler?.(request)) as Response;
    const { status, statusText, headers } = response;
    const bytes = response.body && Buffer.from(await response.arrayBuffer()).toString('base64');
    return { status, statusText, headers: [...headers], body: bytes };
  } catch (error) {
    return { rejected: String(error) };
  }
}

export function serve(
  built: Built,
  transport: Transport,
  load: (name: string) => unknown,
): HttpServer | object {
  const listener = built instanceof HttpServer ? (built.listeners('request')[0] as RequestListener) : built;
  if (transport !== 'fetch') {
    nodeServer = createServer(listener);
    return nodeServer;
  }
  const { toFetch } = load('nozomi/fetch') as typeof import('nozomi/fetch');
  handler = toFetch(listener, { remoteAddress: '127.0.0.1' });
  return { listening: true, on() {}, address: () => ({ port: 0 }), close() {} };
}
