/** Observes the handlers of a running application: how long they block, what they throw, and which one a request waits for. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CODES, RUNNING_CODES } from '../inspect/findings/codes';
import type { Site } from '../inspect/model';
import type { AnyFunction, AnyLayer } from '../inspect/registrations';
import { type LiveNode, walkTree } from '../inspect/tree';
import type { Errors } from './errors';
import type { Notes } from './notes';
import { nameOf } from './responses';

/** Milliseconds that a handler may keep the process busy. */
const BUSY = 50;
/** Milliseconds after which a request without a response is reported. */
const WAIT = 5000;

// Kept, because a test of the application may replace them.
const { setTimeout: startTimer } = globalThis;
const now = performance.now.bind(performance);

interface Handler {
  readonly name: string;
  readonly site: Site | undefined;
}

type Response = ServerResponse & { readonly req: IncomingMessage };

/** The handler that ran last for each response. */
const last = new WeakMap<Response, Handler>();
/** Milliseconds that handlers took which the current one has called by `next()`. */
let inner = 0;

/** Replaces the functions of all layers by functions that observe them. */
export function observeHandlers(roots: readonly LiveNode[], notes: Notes, errors: Errors): void {
  for (const node of roots.flatMap((root) => [...walkTree(root)])) {
    for (const { layers, name, expression, site } of node.handlers)
      for (const layer of layers) observe(layer, { name: expression ?? name, site });
    const { layer, router, isBuiltIn, expression, name, site } = node;
    if (layer && !layer.route && !router && !isBuiltIn) observe(layer, { name: expression ?? name, site });
  }

  function observe(layer: AnyLayer, handler: Handler): void {
    const { handle } = layer;
    /** How often the handler kept the process busy. The first time it may have loaded modules. */
    let busy = 0;
    const observed = function (this: unknown, ...args: unknown[]): unknown {
      const res = args[handle.length > 3 ? 2 : 1] as Response;
      wait(res, handler);
      const outer = inner;
      inner = 0;
      const start = now();
      try {
        const result = Reflect.apply(handle, this, args);
        if (result instanceof Promise) result.catch((error) => errors.ofHandler(error, nameOf(res)));
        return result;
      } catch (error) {
        errors.ofHandler(error, nameOf(res));
        throw error;
      } finally {
        const elapsed = now() - start;
        const own = elapsed - inner;
        inner = outer + elapsed;
        if (own > BUSY && ++busy === 2)
          notes.print({
            code: RUNNING_CODES.blocks.code,
            message: `${nameOf(res)}: ${handler.name} kept the process busy for ${Math.round(own)} ms`,
            site: handler.site,
          });
      }
    };
    // Express takes a function with four parameters for an error handler.
    for (const key of ['name', 'length'] as const)
      Object.defineProperty(observed, key, { value: handle[key], configurable: true });
    layer.handle = Object.assign(observed, handle) as AnyFunction;
  }

  function wait(res: Response, handler: Handler): void {
    const isFirst = !last.has(res);
    last.set(res, handler);
    if (!isFirst) return;
    startTimer(() => {
      const { name, site } = last.get(res) ?? handler;
      if (res.headersSent || res.writableEnded || res.destroyed || res.req.destroyed) return;
      notes.print({
        code: CODES.neverEnds.code,
        severity: 'note',
        message: `${nameOf(res)}: no response after ${WAIT / 1000} s; ${name} ran last`,
        site,
      });
    }, WAIT).unref();
  }
}
