/**
 * An application out of members and prototypes: those of this series, or of another over the same core. §4.1
 */
import { EventEmitter } from 'node:events';
import { IncomingMessage, Server } from 'node:http';
import type { AnyApplication, AnyRequest, AnyResponse, Next } from '../types';
import { keepSettingMethods, type SettingMethods } from '../wire/setting';
import { createPrototypes } from './prototypes';
import { adoptServer } from './server';

/** What `members` and the emitter give it. */
type AssembledApplication = AnyApplication & {
  (req: AnyRequest, res: AnyResponse, next?: Next): void;
  init(): void;
};

/**
 * Make an application: a function `(req, res)` that serves as the callback of any HTTP server, with copies
 * of the members of an event emitter and of `members`.
 */
export function assembleApplication<App extends AssembledApplication>(
  members: object,
  request: AnyRequest,
  response: AnyResponse,
  methods: SettingMethods,
): App {
  const app = function (this: unknown, req: AnyRequest, res: AnyResponse, next?: Next): void {
    // Node.js calls the listeners of a server with it as `this`.
    if (Object.getPrototypeOf(req) === IncomingMessage.prototype && this instanceof Server)
      adoptServer(this, app);
    app.handle(req, res, next);
  } as App;
  mixin(app, EventEmitter.prototype);
  mixin(app, members);
  keepSettingMethods(app, methods);
  createPrototypes(app, request, response);
  app.init();
  return app;
}

/** Copy the members of `source` that `target` has none of. */
function mixin(target: object, source: object): void {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(source))) {
    if (!Object.hasOwn(target, name)) Object.defineProperty(target, name, descriptor);
  }
}
