/** Clients with sessions on persistent connections, and the faults that they find. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

const CLIENTS = 8;
/** Clients and nginx connect from different addresses, so that the application can tell them apart. */
const CLIENT_ADDRESS = '127.0.0.2';

export interface Found {
  readonly requests: number;
  readonly clients: number;
  /** The faults, one line for each request. */
  readonly failures: readonly string[];
  /** The number of processes that responded. */
  readonly pids: number;
  /** The number of processes that responded to the client with the fewest. */
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

/** Starts the clients. Each alternately reads and writes, and sends its next request after a response. */
export function startLoad(port: number): { stop(): Promise<Found> } {
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
        const { status, text, setCookie } = await ask(agent, port, '/', cookie, body);
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
    async stop() {
      isRunning = false;
      const met = await Promise.all(clients);
      agent.destroy();
      return { requests, clients: CLIENTS, failures, pids: pids.size, fewest: Math.min(...met) };
    },
  };
}

function problemOf({ count, ip, host, body }: Reply, turn: number, isPost: boolean): string | undefined {
  if (count !== turn) return `the session counts ${count} at request ${turn}`;
  if (ip !== CLIENT_ADDRESS || host !== 'cluster.test') return `nginx forwards ${ip} and ${host}`;
  if (isPost && body?.turn !== turn) return `a body came as ${JSON.stringify(body)}`;
  return undefined;
}

interface Answered {
  status: number | undefined;
  text: string;
  setCookie: string | undefined;
}

async function ask(
  agent: Agent | undefined,
  port: number,
  path: string,
  cookie = '',
  body?: string,
): Promise<Answered> {
  const sent = request({
    ...(agent && { agent, localAddress: CLIENT_ADDRESS }),
    host: '127.0.0.1',
    port,
    path,
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

/** @throws {Error} if the path does not respond with 200 within 15 s. */
export async function untilResponding(port: number, path: string): Promise<void> {
  for (let turn = 0; turn < 300; turn++) {
    const { status } = await ask(undefined, port, path).catch(() => ({ status: 0 }));
    if (status === 200) return;
    await pause(50);
  }
  throw new Error(`${path} on port ${port} did not respond with 200 within 15 s`);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
