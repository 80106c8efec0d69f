// Runs before child.ts in workerd: defines the functions of Node.js that child.ts uses to talk to its parent process.

import { httpServerHandler } from 'cloudflare:node';
import packages from 'generated:packages';
import { createRequire } from 'node:module';

const requireBuiltin = createRequire('/bundle/worker.mjs');
const require = (name) => (Object.hasOwn(packages, name) ? packages[name]() : requireBuiltin(name));
globalThis.require = Object.assign(require, { resolve: (name) => name });

const { SPEC, ENV } = process.env;
Object.assign(process.env, JSON.parse(ENV));
process.argv[2] = SPEC;
process.argv[3] = '/tmp/home';

let serve;
let receive;
let reply;
globalThis.serveFetch = (handler) => {
  serve = handler;
};
/** A server of `node:http` has a handler only once it listens. */
globalThis.serveNode = (server) => {
  let handler;
  serve = (request, env, context) => {
    handler ??= httpServerHandler(server);
    return handler.fetch(request, env, context);
  };
};
const { on } = process;
process.on = (event, listener) => {
  if (event === 'message') receive = listener;
  else Reflect.apply(on, process, [event, listener]);
  return process;
};
process.send = (message) => reply?.(message);

export function fetch(request, env, context) {
  return serve(request, env, context);
}

export const control = {
  async fetch(request) {
    const message = await request.json();
    const replied = new Promise((resolve) => {
      reply = resolve;
    });
    receive(message);
    return Response.json(await replied);
  },
};
