/** Compares the events of the tracing channel of routers with Express, and their contexts. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';
import { expect } from 'chai';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import framework from 'nozomi';
import { muteDeprecations } from '../support/both';
import { thenable } from '../support/thenable';

type Make = typeof express;
type Event = 'start' | 'end' | 'asyncStart' | 'asyncEnd' | 'error';

const EVENTS: readonly Event[] = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];
const channel = tracingChannel<Context, Context>('express.router.request');
const store = new AsyncLocalStorage<Context>();

interface Context {
  req: { trace: unknown[]; subscribed?: boolean };
  layer: object;
  handler: { name: string };
}

/** @returns The members of a context in order, as plain data. Request and response are shown by name only. */
function tell(context: Context): unknown[] {
  return Object.entries(context).map(([name, value]) => {
    if (name === 'req' || name === 'res') return name;
    if (name === 'layer') return [name, Object.keys(value as object).includes('matchers')];
    if (name === 'handler') return [name, (value as { name: string }).name];
    return [name, value instanceof Error ? value.message : typeof value === 'function' ? 'function' : value];
  });
}

/**
 * Subscribes to all events of the channel, and passes one request to a router.
 *
 * @returns In order: the events with their contexts, what handlers noted, and the call of the final callback.
 */
async function trace(
  make: Make,
  build: (router: ReturnType<Make['Router']>, make: Make) => void,
): Promise<unknown[]> {
  const router = make.Router();
  build(router, make);
  const events: unknown[] = [];
  const subscribers = Object.fromEntries(
    EVENTS.map((event) => [event, (context: unknown) => events.push([event, ...tell(context as Context)])]),
  ) as unknown as Parameters<typeof channel.subscribe>[0];
  channel.subscribe(subscribers);
  channel.start.bindStore(store, (context) => context);
  channel.asyncStart.bindStore(store, (context) => context);
  try {
    await new Promise<void>((resolve) => {
      const handle = router as unknown as (...args: unknown[]) => void;
      handle(
        { method: 'GET', url: '/a/b', note: (what: unknown) => events.push(['handler', what]) },
        {},
        (err: unknown) => {
          events.push(['done', String(err), store.getStore() === undefined]);
          // Routers publish some events after they have called the final callback.
          setImmediate(() => setImmediate(resolve));
        },
      );
    });
  } finally {
    channel.unsubscribe(subscribers);
    channel.start.unbindStore(store);
    channel.asyncStart.unbindStore(store);
  }
  return events;
}

const first: RequestHandler = (req, _res, next) => {
  const current = store.getStore() as Context | undefined;
  (req as unknown as { note(what: unknown): void }).note(current?.handler.name);
  next();
};
const pass: ErrorRequestHandler = function pass(err, _req, _res, next) {
  next(err);
};
const recover: ErrorRequestHandler = function recover(_err, _req, _res, next) {
  next();
};
const shared = new Error('shared');

const cases: Record<string, (router: ReturnType<Make['Router']>, make: Make) => void> = {
  'middleware, routes and mounted routers': (router, make) => {
    router.use(first);
    router.use('/a', first, make.Router().get(['/x', '/:id'], first, first));
    router.all('/:x/:y', first);
  },
  'values and promises of values': (router) => {
    router.use(function sync(_req, _res, next) {
      setImmediate(next);
      return 'value' as never;
    });
    router.use(async function later(_req, _res, next) {
      next();
      return 'resolved' as never;
    });
    router.use(function foreign(_req, _res, next) {
      next();
      return thenable((resolve) => resolve('foreign')) as never;
    });
  },
  'thrown errors, once at their origin': (router, make) => {
    router.use(
      make.Router().use(function throwing() {
        throw new Error('thrown');
      }),
      pass,
    );
    router.use(pass);
  },
  'rejected promises': (router) => {
    router.use(async function rejecting() {
      throw new Error('rejected');
    });
    router.use(pass);
    router.use(async function again(_err: unknown, _req: unknown, _res: unknown, _next: unknown) {
      throw new Error('replaced');
    } as unknown as RequestHandler);
  },
  'promises of other makes that reject, throw, or settle twice': (router) => {
    router.use(() => thenable((_resolve, reject) => reject(undefined)) as never);
    router.use(recover);
    router.use(
      () =>
        thenable(() => {
          throw new Error('then');
        }) as never,
    );
    router.use(recover);
    router.use(
      () =>
        thenable((resolve, reject) => {
          resolve(1);
          reject(new Error('late'));
        }) as never,
    );
    router.use(pass);
  },
  'errors by next, recovered from and reported anew': (router) => {
    router.use(function failing(_req, _res, next) {
      next(shared);
    });
    router.use(recover);
    router.use(function failing(_req, _res, next) {
      next(shared);
    });
    router.use(pass, pass);
  },
  'an error and a promise of the same handler': (router) => {
    router.use(async function both(_req, _res, next) {
      next(shared);
    });
    router.use(async function rethrow(err: unknown, _req: unknown, _res: unknown, _next: unknown) {
      throw err;
    } as unknown as RequestHandler);
  },
  'signals, which are no errors': (router) => {
    router.get('/a/b', (_req, _res, next) => next('route'), first);
    router.get('/a/b', () => {
      throw 'route';
    });
    router.get('/a/b', async () => {
      throw 'route';
    });
    router.use((_req, _res, next) => next('router'));
  },
  'throwing nothing': (router) => {
    router.use(() => {
      throw undefined;
    });
    router.use(() => Promise.reject());
  },
  'parameters that cannot be decoded belong to no handler': (router) => {
    router.use((req, _res, next) => {
      req.url = '/%zz';
      next();
    });
    router.get('/:id', first);
    router.use(pass);
  },
  'parameter callbacks': (router) => {
    router.param('a', function sync(_req: unknown, _res: unknown, next: () => void) {
      next();
      return 'value';
    } as never);
    router.param('a', async function later(_req: unknown, _res: unknown, next: () => void) {
      next();
      return 'resolved';
    } as never);
    router.param('b', function signal(_req, _res, next) {
      next('route');
    });
    router.param('c', function throwing() {
      throw new Error('param');
    });
    router.param('d', async function rejecting() {
      throw new Error('async param');
    } as never);
    router.param('e', (() => thenable((resolve) => resolve('early'))) as never);
    router.get('/:a/b', first);
    router.get('/a/:b', first);
    router.get('/:c/b', first);
    router.use(recover);
    router.get('/:d/b', first);
    router.use(recover);
    router.param('f', (() =>
      thenable(() => {
        throw new Error('then');
      })) as never);
    router.get('/:f/b', first);
    router.use(pass);
  },
};

describe('the tracing channel of routers', () => {
  muteDeprecations();

  for (const [what, build] of Object.entries(cases)) {
    it(`publishes the same events as Express for ${what}`, async () => {
      const expected = await trace(express, build);

      expect(expected).to.have.length.above(2);
      expect(await trace(framework as unknown as Make, build)).to.deep.equal(expected);
    });
  }

  it('publishes to a subscriber of any one of its five events', async () => {
    for (const event of EVENTS) {
      const seen: unknown[] = [];
      const subscriber = (context: unknown): void => void seen.push((context as Context).handler.name);
      channel[event].subscribe(subscriber);
      const router = framework.Router().use(async function named() {
        throw new Error('heard');
      }) as unknown as (...args: unknown[]) => void;
      try {
        await new Promise((resolve) => router({ method: 'GET', url: '/' }, {}, resolve));
        await new Promise(setImmediate);
      } finally {
        channel[event].unsubscribe(subscriber);
      }

      expect(seen, event).to.deep.equal(['named']);
    }
  });
});
