/** Runs child.ts in Bun and Deno. */
import { reply } from './channel';
import '../../parity/implementations/child';

/** The functions of Bun and Deno that serve a fetch handler. */
interface Runtimes {
  Bun?: { serve(options: object): { port: number } };
  Deno: { serve(options: object, handler: typeof respond): { addr: { port: number } } };
}

const { Bun, Deno } = globalThis as typeof globalThis & Runtimes;
const where = { port: 0, hostname: '127.0.0.1' };
const { port } = Bun
  ? Bun.serve({ ...where, fetch: respond })
  : Deno.serve({ ...where, onListen() {} }, respond).addr;
console.log(JSON.stringify({ event: 'listen', socket: 'control', port }));

async function respond(request: Request): Promise<Response> {
  return Response.json(await reply((await request.json()) as Parameters<typeof reply>[0]));
}
