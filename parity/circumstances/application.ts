/** Applications that are not made by `express()`, or that another listener calls. */
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import type { Built } from '../scenario/scenario';
import { listenerOf } from '../transports/listener';
import type { Circumstance, Framework } from './circumstance';

type Mixed = Record<PropertyKey, unknown>;

export const HANDMADE: Circumstance = {
  what: 'a function with the members of `express.application` is the application',
  framework: ({ framework }) => withMembersOf(framework, () => makeByHand(framework)),
  reasonNotPlayed: ({ scenario: { series } }) =>
    series === '3.x' ? 'Express 3, which makes applications with connect' : undefined,
};

export const WRAPPED: Circumstance = {
  what: 'a function calls the application, and listens in its place',
  serve: (built) => {
    const listener = listenerOf(built);
    return createServer((req, res) => listener(req, res));
  },
};

export const IN_EXPRESS: Circumstance = {
  what: 'an application of Express mounts the application',
  serve: (built, { express }) => mountedBy(express(), built),
};

export const AROUND_EXPRESS: Circumstance = {
  what: 'the application mounts one of Express, which has all of the routes',
  identity: 'Express',
  framework: ({ express }) => express(),
  serve: (built, { framework }) => mountedBy(framework, built),
};

/** Creates an application as lib/express.js of Express 4 and 5 does, and http2-express-bridge, Feathers and others. */
function makeByHand(framework: Framework): unknown {
  const app = ((req: unknown, res: unknown, next: unknown) =>
    (app.handle as (...args: unknown[]) => void)(req, res, next)) as unknown as Mixed;
  const { application, request, response } = framework as unknown as Record<string, object>;
  mixin(app, EventEmitter.prototype);
  mixin(app, application as object);
  const owner = { app: { configurable: true, enumerable: true, writable: true, value: app } };
  app.request = Object.create(request as object, owner);
  app.response = Object.create(response as object, owner);
  (app.init as () => void)();
  return app;
}

function mixin(to: Mixed, from: object): void {
  for (const name of Object.getOwnPropertyNames(from))
    if (!Object.hasOwn(to, name))
      Object.defineProperty(to, name, Object.getOwnPropertyDescriptor(from, name) ?? {});
}

/** Returns a function with all other members of a framework. */
function withMembersOf(framework: Framework, create: () => unknown): Framework {
  const own = Object.getOwnPropertyDescriptors(framework);
  for (const name of ['length', 'name', 'prototype', 'arguments', 'caller'])
    Reflect.deleteProperty(own, name);
  return Object.defineProperties(create, own) as Framework;
}

function mountedBy(framework: Framework, built: Built): Built {
  const outer = framework();
  outer.disable('x-powered-by');
  outer.use(listenerOf(built) as never);
  return outer;
}
