/** Compares 404 pages and error pages with Express, for random requests, and for actions of handlers around `next()`. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import express, { type RequestHandler, type Response } from 'express';
import fc from 'fast-check';
import framework from 'nozomi';
import { aborted, get, onOneConnection, raw, request } from '../../parity/client/request';
import { type Framework, PATIENCE, type play, playBeside } from '../support/play';

const context = new AsyncLocalStorage<string>();

/** Handlers that call `next()`, most of them before or after another action. The key completes the test title. */
const HABITS: Readonly<Record<string, RequestHandler>> = {
  nothing: (_req, _res, next) => next(),
  'a header before next()': (_req, res, next) => {
    res.set({
      'Content-Encoding': 'gzip',
      'Content-Range': 'bytes 1-2/3',
      'Content-Language': 'ja',
      ETag: '"1"',
    });
    next();
  },
  'a header after next()': (_req, res, next) => {
    next();
    res.set('X-After', 'next');
  },
  'a status and a Content-Type': (_req, res, next) => {
    res.status(202).type('text');
    next();
  },
  'next() in a timer': (_req, _res, next) => {
    setTimeout(next, 2);
  },
  'next() in process.nextTick': (_req, _res, next) => {
    process.nextTick(next);
  },
  'next() in a microtask': (_req, _res, next) => {
    queueMicrotask(next);
  },
  'a request that is being read': (req, _res, next) => {
    req.resume();
    next();
  },
  'a request that was read': (req, _res, next) => {
    req.on('end', () => next()).resume();
  },
  'a paused request': (req, _res, next) => {
    req.pause();
    next();
  },
  'a piped request': (req, _res, next) => {
    req.pipe(new PassThrough());
    next();
  },
  'a change of req.method': (req, _res, next) => {
    req.method = 'x<y>';
    next();
  },
  'a change of req.originalUrl': (req, _res, next) => {
    req.originalUrl = '/else?<';
    next();
  },
  'removal of req.originalUrl': (req, _res, next) => {
    req.originalUrl = undefined as never;
    next();
  },
  writeHead: (_req, res, next) => {
    res.writeHead(201);
    next();
    res.end('sent');
  },
  end: (_req, res, next) => {
    res.end('over');
    next();
  },
  'a destroyed connection': (req, _res, next) => {
    next();
    req.destroy();
  },
  'an error': (_req, _res, next) => next({ status: 418, stack: 'error' }),
};

/**
 * An application that records calls of `setHeader`, `removeHeader` and `end`, and then runs `habits`.
 *
 * @param hasRoute Whether a route follows that does not match. Then the last `next()` sends the page; otherwise Express
 *   sends it in a later turn of the event loop.
 */
function lost(habits: readonly RequestHandler[], seen: unknown[] = [], hasRoute = false) {
  return (framework: Framework) => {
    const app = framework().set('env', 'test');
    const recorder: RequestHandler = (_req, res, next) => {
      record(res, seen);
      context.run('request', next);
    };
    app.use(recorder, ...habits);
    return hasRoute ? app.get('/never', (_req, res) => res.end()) : app;
  };
}

/** Records calls of `setHeader`, `removeHeader` and `end` with their async context, and the status at the end. */
function record(res: Response, seen: unknown[]): void {
  for (const name of ['setHeader', 'removeHeader', 'end'] as const) {
    const original = res[name] as (...args: unknown[]) => unknown;
    Object.assign(res, {
      [name](this: Response, ...args: unknown[]) {
        seen.push([name, ...args, context.getStore()]);
        return original.apply(this, args);
      },
    });
  }
  res.on('finish', () => seen.push(['finish', res.statusCode, res.statusMessage]));
}

async function compareCalls(
  habits: readonly RequestHandler[],
  ...steps: Parameters<typeof play>[1][]
): Promise<void> {
  for (const hasRoute of [true, false]) {
    const seen: unknown[][] = [];
    const build = (framework: Framework) => {
      const calls: unknown[] = [];
      seen.push(calls);
      return lost(habits, calls, hasRoute)(framework);
    };
    await playBeside(build, ...steps);
    const [expected, actual] = seen;
    expect(expected).not.to.be.empty;
    expect(actual).to.deep.equal(expected);
  }
}

proves('F-1-13');
describe('the 404 page of a request without a response', () => {
  const piece = fc.constantFrom(
    'a',
    'B',
    '7',
    '-',
    '_',
    '.',
    '~',
    '/',
    '//',
    '%20',
    '%',
    '?',
    '&',
    "'",
    ':',
    '(',
    '$',
    '|',
    '^',
  );
  const target = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`);
  const method = fc.constantFrom('GET', 'GET', 'HEAD', 'OPTIONS', 'DELETE', 'M-SEARCH', 'PURGE');

  it('is the same as in Express for any method, target and body', async () => {
    const body = fc.option(fc.constantFrom('', 'body', ['ch', 'unks']), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(method, target, body), { minLength: 1, maxLength: 12 }),
        async (asked) => {
          const requests = asked.map(([method, target, body]) => request(method, target, body as never));
          await compareCalls([], onOneConnection(...requests));
        },
      ),
      { numRuns: 60 },
    );
  });

  for (const [habit, handler] of Object.entries(HABITS)) {
    it(`is sent by the same calls as in Express, in the same async context, after ${habit}`, async () => {
      for (const method of ['GET', 'HEAD', 'POST']) {
        await compareCalls([handler], request(method, '/a/path?query'));
        await compareCalls([handler], request(method, '/a/path', 'a body'));
      }
    });
  }

  it('is sent to HTTP/1.0, disconnecting and pipelining clients', async () => {
    await compareCalls([], raw('GET /old HTTP/1.0\r\n\r\n'));
    await compareCalls([], aborted(get('/left'), 'sent'), aborted(request('POST', '/left', 'x'), 'head'));
    await compareCalls([], onOneConnection(get('/a'), request('POST', '/b', 'x'), get('/c')));
  });

  it('is sent for targets that are not URLs', async () => {
    const ask = (method: string, target: string) =>
      raw(`${method} ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    for (const method of ['GET', 'OPTIONS']) {
      for (const target of ['/#', '/a#b', '*', '//%']) await compareCalls([], ask(method, target));
      // Node.js does not parse these targets, the last one since version 26. No handler runs then, so only the responses
      // are compared.
      for (const target of ['http://%@x/', 'http://[', 'http://a:b:c/']) {
        const [exchange] = await playBeside(lost([]), ask(method, target));
        expect(exchange?.response.status).to.equal(404);
      }
    }
    const unread: RequestHandler = (req, _res, next) => {
      req.originalUrl = 'http://[';
      next();
    };
    await compareCalls([unread], get('/'));
  });

  it('is a 500 page, as in Express, for a request with a fake socket', async () => {
    const socketless: RequestHandler = (req, _res, next) => {
      Object.defineProperty(req, 'socket', { value: { readable: true, writable: true } });
      next();
    };
    const [exchange] = await playBeside(lost([socketless], [], true), get('/'));
    expect(exchange?.response.status).to.equal(500);
  });

  it('is sent without a server too, for objects that look like requests and responses', async () => {
    const open = {
      socket: Object.assign(new EventEmitter(), { readable: true }),
      unpipe() {},
      on: (event: string, listener: () => void) => event === 'end' && setImmediate(listener),
      removeListener() {},
      resume() {},
    };
    const looks = [
      { complete: true },
      { complete: false, ...open },
      { complete: true, ...open, readable: true },
    ];
    for (const look of looks) {
      const mine = await responseTo(look, framework as never);
      const expected = await responseTo(look, express);
      expect(mine).to.deep.equal(expected);
      expect(mine.at(-1)?.[0]).to.equal('end');
    }
  });
});

/** Passes plain objects to an application without routes. @returns The calls of methods of the response. */
async function responseTo(look: object, implementation: Framework): Promise<unknown[][]> {
  const calls: unknown[][] = [];
  const req = { method: 'GET', url: '/', headers: {}, ...look };
  const note = (name: string) => ({ [name]: (...args: unknown[]) => calls.push([name, ...args]) });
  const res = { ...note('setHeader'), ...note('removeHeader'), ...note('end') };
  implementation().disable('x-powered-by')(req as never, res as never);
  const last = performance.now() + PATIENCE;
  while (calls.at(-1)?.[0] !== 'end' && performance.now() < last) await delay(1);
  return calls;
}

proves('F-7-01');
describe('the page of an error', () => {
  const fail: RequestHandler = (_req, _res, next) => next({ status: 503, stack: 'at <fail>\n  at next' });

  it('is sent by the same calls as in Express for any method and body', async () => {
    const method = fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'DELETE', 'PUT');
    const body = fc.option(fc.constantFrom('', 'body', ['ch', 'unks']), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(method, body), { minLength: 1, maxLength: 8 }), async (asked) => {
        const requests = asked.map(([method, body]) => request(method, '/a', body as never));
        await compareCalls([fail], onOneConnection(...requests));
      }),
      { numRuns: 20 },
    );
  });

  for (const [habit, handler] of Object.entries(HABITS)) {
    it(`is sent by the same calls as in Express, in the same async context, after ${habit}`, async () => {
      for (const method of ['GET', 'POST']) {
        await compareCalls([handler, fail], request(method, '/a/path?query'));
        await compareCalls([handler, fail], request(method, '/a/path', 'a body'));
      }
    });
  }

  it('is sent to HTTP/1.0, disconnecting and pipelining clients', async () => {
    await compareCalls([fail], raw('GET /old HTTP/1.0\r\n\r\n'));
    await compareCalls([fail], aborted(get('/left'), 'sent'), aborted(request('POST', '/left', 'x'), 'head'));
    await compareCalls([fail], onOneConnection(get('/a'), request('POST', '/b', 'x'), get('/c')));
  });
});
