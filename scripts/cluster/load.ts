/** Sends requests with sessions over keep-alive connections while processes restart, and checks the responses. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const CLIENTS = 8;
/** Differs from the address of nginx, so that a response shows whether `req.ip` is the address of the client. */
const CLIENT_ADDRESS = '127.0.0.2';

export interface Found {
  readonly requests: number;
  readonly clients: number;
  /** One line for each problem; a request can have two. */
  readonly failures: readonly string[];
  /** The number of processes that sent a response. */
  readonly pids: number;
  /** Each client got responses from at least this many processes. */
  readonly fewest: number;
}

interface Reply {
  pid: number;
  count: number;
  ip: string;
  host: string;
  method: string;
  body?: { turn?: number };
}

/**
 * Starts the clients. Each sends GET and POST in turns, and waits for a response before its next request.
 * `stop` waits for the last responses, and `requests` is the number so far.
 */
export function startLoad(port: number): { readonly requests: number; stop(): Promise<Found> } {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const failures: string[] = [];
  const pids = new Set<number>();
  let requests = 0;
  let isRunning = true;

  const client = async (): Promise<number> => {
    const met = new Set<number>();
    let cookie = '';
    for (let turn = 1; isRunning; turn++) {
      requests++;
      try {
        const body = turn % 2 === 0 ? JSON.stringify({ turn }) : undefined;
        const { status, text, setCookie } = await ask(agent, port, cookie, body);
        if (setCookie && cookie) failures.push(`a new session after ${turn - 1} requests`);
        if (setCookie) cookie = setCookie;
        const reply = status === 200 ? (JSON.parse(text) as Reply) : undefined;
        const problem = reply ? problemOf(reply, turn, body !== undefined) : `status ${status}`;
        if (problem) failures.push(problem);
        if (reply) {
          pids.add(reply.pid);
          met.add(reply.pid);
        }
      } catch (err) {
        failures.push(`${err}`.slice(0, 100));
      }
      await pause(2);
    }
    return met.size;
  };

  const clients = Array.from({ length: CLIENTS }, client);
  return {
    get requests() {
      return requests;
    },
    async stop() {
      isRunning = false;
      const met = await Promise.all(clients);
      agent.destroy();
      return { requests, clients: CLIENTS, failures, pids: pids.size, fewest: Math.min(...met) };
    },
  };
}

function problemOf({ count, ip, host, body }: Reply, turn: number, isPost: boolean): string | undefined {
  if (count !== turn) return `the session counted ${count} requests, expected ${turn}`;
  if (ip !== CLIENT_ADDRESS || host !== 'cluster.test')
    return `the application got address ${ip} and host ${host}, expected ${CLIENT_ADDRESS} and cluster.test`;
  if (isPost && body?.turn !== turn)
    return `the application got the body ${JSON.stringify(body)}, expected ${JSON.stringify({ turn })}`;
  return undefined;
}

interface Answered {
  status: number | undefined;
  text: string;
  setCookie: string | undefined;
}

async function ask(agent: Agent, port: number, cookie: string, body?: string): Promise<Answered> {
  const sent = request({
    agent,
    localAddress: CLIENT_ADDRESS,
    host: '127.0.0.1',
    port,
    method: body ? 'POST' : 'GET',
    headers: {
      Host: 'cluster.test',
      ...(cookie && { Cookie: cookie }),
      ...(body && { 'Content-Type': 'application/json', 'Content-Length': body.length }),
    },
  }).end(body);
  const [res] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of res) text += chunk;
  return { status: res.statusCode, text, setCookie: res.headers['set-cookie']?.[0]?.split(';')[0] };
}

/** Waits until a GET of the path has status 200. @throws {Error} after 300 attempts, 15 s or more. */
export async function untilResponding(port: number, path: string): Promise<void> {
  for (let turn = 0; turn < 300; turn++) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
    if (response?.status === 200) return;
    await pause(50);
  }
  throw new Error(`no response with status 200 for ${path} on port ${port} within 15 s`);
}
