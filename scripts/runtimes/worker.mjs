// Runs child.ts in workerd, in a Durable Object: in a plain Worker, a request can neither wait for another one nor read its
// files. The bundle has the packages and the files of scenarios, because a Worker loads none.

import { httpServerHandler } from 'cloudflare:node';
import { DurableObject } from 'cloudflare:workers';
import { files, packages } from 'generated:contents';
import { copyFileSync, mkdirSync, utimesSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const requireBuiltin = createRequire('/bundle/worker.mjs');
const load = (name) => (Object.hasOwn(packages, name) ? packages[name]() : requireBuiltin(name));
globalThis.require = Object.assign(load, { resolve: (name) => name });

const { ROOT } = require('../../parity/implementations/project.ts');
// Before child.ts, which reads it. Only the Durable Object can change the folder itself.
process.cwd = () => ROOT;
const channel = require('./channel.ts');
const { MODIFIED } = require('../../parity/scenario/file-times.ts');
require('../../parity/implementations/child.ts');

const handlers = new WeakMap();

export class Player extends DurableObject {
  constructor(...args) {
    super(...args);
    copyFiles();
  }

  reply(message) {
    process.chdir(ROOT);
    return channel.reply(message);
  }

  fetch(request) {
    const server = channel.nodeServer;
    // A server has a handler only once it listens.
    if (!handlers.has(server)) handlers.set(server, httpServerHandler(server));
    return handlers.get(server).fetch(request, {}, this.ctx);
  }
}

/** Copies the files of scenarios, because modules have no time of modification. */
function copyFiles() {
  mkdirSync(process.argv[3], { recursive: true });
  for (const file of files) {
    mkdirSync(join(ROOT, dirname(file)), { recursive: true });
    copyFileSync(join('/bundle', file), join(ROOT, file));
    utimesSync(join(ROOT, file), MODIFIED, MODIFIED);
  }
}

const player = ({ PLAYER }) => PLAYER.get(PLAYER.idFromName('player'));

export const control = {
  fetch: async (request, env) => Response.json(await player(env).reply(await request.json())),
};

export default { fetch: (request, env) => player(env).fetch(request) };
