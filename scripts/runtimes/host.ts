/**
 * Runs in Node.js: starts the bundle of child.ts on Bun, Deno or workerd, and passes the messages of the parent process
 * to it as requests, because workerd has no IPC channel. Over fetch, it serves the responses that `toFetch(app)` returns
 * there, without what the servers of Bun, Deno and workerd add to them. Arguments: those of child.ts.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fromFetch } from 'nozomi/fetch';
import type { FromChild, Implementation, Runtime, ToChild } from '../../parity/implementations/protocol';
import type { RequestMessage, ResponseMessage } from './channel';

const args = process.argv.slice(2);
const { runtime, transport } = JSON.parse(args[0] ?? '') as Implementation;
const { command, args: own } = runtime as Runtime;
const CHILD = JSON.stringify({ args, env: process.env });
const child = spawn(command, own, {
  env: { ...process.env, CHILD, NODE_NO_WARNINGS: '1' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
child.on('exit', (code) => process.exit(code ?? 1));
process.on('exit', () => child.kill('SIGKILL'));
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());

/** The ports where the child process listens: `control` for messages, and `http` for requests to workerd. */
const ports: { control?: number; http?: number } = {};
createInterface({ input: child.stdout }).on('line', (line) => {
  if (!line.startsWith('{"event":"listen"')) return console.log(line);
  const { socket, port } = JSON.parse(line) as { socket: keyof typeof ports; port: number };
  ports[socket] = port;
  if (socket === 'control') process.send?.({ type: 'ready', call: 0 } satisfies FromChild);
});

const serveFetch = fromFetch(async (request) => {
  const { url, method, headers } = request;
  const body = request.body && Buffer.from(await request.arrayBuffer()).toString('base64');
  const response = await ask<ResponseMessage>({ type: 'request', url, method, headers: [...headers], body });
  if ('rejected' in response) throw new Error(response.rejected);
  return new Response(response.body === null ? null : Buffer.from(response.body, 'base64'), response);
});
const bridge = createServer((req, res) => void serveFetch(req, res, () => res.destroy()));
bridge.listen(0, '127.0.0.1');

process.on('message', async (message: ToChild) => {
  const reply = await ask<FromChild>(message);
  const port = transport === 'fetch' ? (bridge.address() as AddressInfo).port : ports.http;
  process.send?.({ ...reply, ...(port && { port }) });
});

async function ask<Reply>(message: ToChild | RequestMessage): Promise<Reply> {
  const body = JSON.stringify(message);
  const response = await fetch(`http://127.0.0.1:${ports.control}`, { method: 'POST', body });
  return (await response.json()) as Reply;
}
