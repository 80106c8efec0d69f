import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import type { ErrorRequestHandler, Request } from 'express';
import express4 from 'nozomi/4';
import { toFetch } from 'nozomi/fetch';
import { open, withHttp1, withHttp2 } from '../transports/support';

const PART = '{"a":';
const TYPE = 'application/json';

type Application = ReturnType<typeof express4>;

/** Sends a part of an upload. Disconnects when the application emits `received`, and waits for its `failed`. */
type Cut = (app: Application, events: EventEmitter) => Promise<void>;

const CUTS: Readonly<Record<'HTTP/1.1' | 'HTTP/2' | 'fetch', Cut>> = {
  'HTTP/1.1': (app, events) =>
    withHttp1(app, async (port) => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${TYPE}\r\nContent-Length: 9\r\n\r\n${PART}`);
      await once(events, 'received');
      socket.destroy();
      await once(events, 'failed');
    }),
  'HTTP/2': (app, events) =>
    withHttp2(app, async (session, socket) => {
      const headers = { 'content-type': TYPE, 'content-length': '9' };
      const stream = open(session, { path: '/', method: 'POST', headers, body: '' });
      stream.on('error', () => undefined).write(PART);
      await once(events, 'received');
      socket.destroy();
      await once(events, 'failed');
    }),
  fetch: async (app, events) => {
    const controller = new AbortController();
    const body = new ReadableStream({ start: (part) => part.enqueue(Buffer.from(PART)) });
    const headers = { 'content-type': TYPE };
    const init = { method: 'POST', headers, body, duplex: 'half', signal: controller.signal } as const;
    const response = toFetch(app)('/', init).catch(() => undefined);
    await once(events, 'received');
    controller.abort();
    await Promise.all([response, once(events, 'failed')]);
  },
};

/** @param isLate Whether the body parser runs only after the client has disconnected. */
async function errorOf(framework: typeof express4, cut: Cut, isLate: boolean): Promise<unknown> {
  const events = new EventEmitter();
  let failure: unknown;
  const app = framework();
  app.use((req: Request, _res: unknown, next: () => void) => {
    if (isLate) req.on('close', next);
    else setImmediate(next);
    setImmediate(() => setImmediate(() => events.emit('received')));
  });
  app.use(framework.json());
  const onError: ErrorRequestHandler = ({ status, type, message, code }, _req, res, _next) => {
    failure = { status, type, message, code };
    res.end();
    events.emit('failed');
  };
  app.use(onError as never);
  await cut(app, events);
  return failure;
}

describe('an upload whose client disconnects (nozomi/4)', () => {
  const reference: typeof express4 = require('express4');

  for (const [transport, cut] of Object.entries(CUTS)) {
    for (const [when, isLate] of [
      ['while', false],
      ['before', true],
    ] as const) {
      it(`${when} a body parser reads it, fails with the same error as in Express 4 (${transport})`, async () => {
        const expected = await errorOf(reference, CUTS['HTTP/1.1'], isLate);
        expect(expected).to.have.property('status', isLate ? 500 : 400);
        expect(await errorOf(express4, cut, isLate)).to.deep.equal(expected);
      });
    }
  }
});
