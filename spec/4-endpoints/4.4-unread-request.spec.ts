/** Compares with Express what an application observes of a request that nothing has read, after the response (§4.4). */
import type http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished, pipeline, Readable, Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Express } from 'express';
import express4 from 'express4';
import nozomi4 from 'nozomi/4';
import rawBody from 'raw-body';
import { get, head, onOneConnection, post, raw, type Step } from '../../parity/client/request';
import { type Framework, IMPLEMENTATIONS } from '../support/both';
import { play } from '../support/play';

type Note = (what: unknown) => void;
type Act = (req: IncomingMessage, note: Note, res: ServerResponse) => unknown;

const EVENTS = ['data', 'end', 'close', 'error', 'readable', 'resume', 'pause', 'aborted'];

function listenTo(req: IncomingMessage, note: Note, events: readonly string[]): void {
  for (const event of events) req.on(event, (value) => note(value instanceof Error ? `${value}` : event));
}

/** What the application does before it responds. */
const BEFORE: Readonly<Record<string, Act>> = {
  nothing: () => undefined,
  'listens to close': (req, note) => listenTo(req, note, ['close']),
  'listens to end': (req, note) => listenTo(req, note, ['end']),
  'listens to data': (req, note) => listenTo(req, note, ['data', 'end']),
  'listens to readable': (req, note) => listenTo(req, note, ['readable', 'end']),
  'removes its listener': (req) => req.on('end', EVENTS.push).off('end', EVENTS.push),
  pauses: (req) => req.pause(),
  resumes: (req) => req.resume(),
  reads: (req) => req.read(),
  'sets an encoding': (req) => req.setEncoding('utf8'),
  destroys: (req) => req.destroy(),
  'waits for the end': (req, note) => finished(req, (err) => note(`finished ${err}`)),
  'reads the signal': (req, note) =>
    // Only in newer versions of Node.js.
    (req as { signal?: AbortSignal }).signal?.addEventListener('abort', () => note('signal')),
  ...Object.fromEntries(
    (['emit', 'on', 'read', 'resume', 'destroy', '_destroy', '_dump', 'removeAllListeners'] as const).map(
      (method): [string, Act] => [
        `replaces ${method}`,
        (req, note) =>
          Object.assign(req, {
            [method](this: IncomingMessage, ...args: unknown[]) {
              note(`${method} ${typeof args[0] === 'string' ? args[0] : ''}`);
              return Reflect.apply(Object.getPrototypeOf(this)[method], this, args);
            },
          }),
      ],
    ),
  ),
};

/** What the application does later. */
const AFTER: Readonly<Record<string, Act>> = {
  listens: (req, note) => listenTo(req, note, EVENTS),
  'reads, then resumes': (req, note) => {
    listenTo(req, note, ['error']);
    note(req.read());
    req.resume();
  },
  iterates: async (req, note) => {
    try {
      for await (const chunk of req) note(`${chunk}`);
      note('iterated');
    } catch (err) {
      note(`${err}`);
    }
  },
  pipes: (req, note) =>
    pipeline(req, new Writable({ write: (_chunk, _encoding, done) => done() }), (err) =>
      note(`piped ${err}`),
    ),
  'waits for the end': (req, note) => finished(req, (err) => note(`finished ${err}`)),
  parses: (req, note) => rawBody(req, (err, body) => note(`${err} ${body}`)),
  destroys: (req, note) => {
    listenTo(req, note, ['error', 'close']);
    req.destroy(new Error('late'));
  },
  unshifts: (req, note) => {
    listenTo(req, note, ['error', 'data']);
    req.unshift('more');
  },
};

/** When the application does it. */
const MOMENTS: Readonly<Record<string, (res: ServerResponse, act: () => void) => void>> = {
  'at finish': (res, act) => void res.on('finish', act),
  'at close': (res, act) => void res.on('close', act),
  'after the response': (_res, act) => void setImmediate(act),
  later: (_res, act) => void setImmediate(() => setImmediate(act)),
};

const REQUESTS: Readonly<Record<string, readonly Step[]>> = {
  GET: [get('/')],
  HEAD: [head('/')],
  'POST with a body': [post('/', 'body')],
  'POST in one packet': [raw('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody')],
  'POST before its body': [
    raw('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\nConnection: close\r\n\r\n'),
  ],
  'POST without a body': [raw('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n')],
  'POST with a part of its body': [
    raw('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\nConnection: close\r\n\r\nab'),
  ],
  'a chunked POST': [
    raw('POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n'),
  ],
  'requests on one connection': [onOneConnection(get('/'), get('/'), get('/'))],
  'pipelined requests': [
    raw('GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'),
  ],
};

const SERVERS: Readonly<Record<string, (app: Express) => http.RequestListener>> = {
  'the listener of a server': (app) => app,
  'called by a listener': (app) => (req, res) => app(req as never, res as never),
};

function stateOf(req: IncomingMessage): unknown {
  const { complete, aborted, readable, readableEnded, readableFlowing, readableLength, readableAborted } =
    req;
  const { readableDidRead, destroyed, closed, errored, _consuming } = req;
  return {
    ...{ complete, aborted, readable, readableEnded, readableFlowing, readableLength, readableAborted },
    ...{ readableDidRead, destroyed, closed, errored, _consuming },
    isPaused: req.isPaused(),
    isDisturbed: Readable.isDisturbed(req),
  };
}

/** @returns What the application notes for each request, until nothing happens any more. */
async function observe(
  create: Framework,
  listener: (app: Express) => http.RequestListener,
  steps: readonly Step[],
  before: Act,
  [moment, after]: [moment: (res: ServerResponse, act: () => void) => void, after: Act],
): Promise<unknown[]> {
  const app = create().set('env', 'test');
  const notes: unknown[] = [];
  let count = 0;
  app.use((req, res) => {
    const index = count++;
    const note: Note = (what) => void notes.push([index, what]);
    before(req, note, res);
    // A body has arrived by then.
    if (req.method === 'POST') setImmediate(() => res.send('sent'));
    moment(res, () => {
      note(stateOf(req));
      after(req, note, res);
    });
    if (req.method !== 'POST') res.send('sent');
  });
  await play(listener(app), ...steps);
  for (let n = 0; n < 3; n++) await turn();
  return notes;
}

const PAIRS: Readonly<Record<string, readonly [reference: Framework, build: Framework]>> = {
  nozomi: [IMPLEMENTATIONS.reference, IMPLEMENTATIONS.build],
  'nozomi/4': [express4 as never, nozomi4 as never],
};

for (const [series, [reference, build]] of Object.entries(PAIRS)) {
  for (const [how, listener] of Object.entries(SERVERS)) {
    describe(`an unread request after the response, with ${series} as ${how}`, () => {
      for (const [when, moment] of Object.entries(MOMENTS)) {
        it(`is as with Express ${when}, whatever the application did before and does then`, async () => {
          for (const [first, before] of Object.entries(BEFORE)) {
            for (const [then, after] of Object.entries(AFTER)) {
              const [expected, seen] = await Promise.all(
                [reference, build].map((one) =>
                  observe(one, listener, REQUESTS.GET as Step[], before, [moment, after]),
                ),
              );
              expect(seen, `${first}, ${then}`).to.deep.equal(expected);
              // A request that the application has destroyed gets no response.
              if (first !== 'destroys') expect(expected, `${first}, ${then}`).not.to.have.length(0);
            }
          }
        });

        it(`is as with Express ${when}, for any request`, async () => {
          for (const [request, steps] of Object.entries(REQUESTS)) {
            for (const [then, after] of Object.entries(AFTER)) {
              const [expected, seen] = await Promise.all(
                [reference, build].map((one) =>
                  observe(one, listener, steps, BEFORE.nothing as Act, [moment, after]),
                ),
              );
              expect(seen, `${request}, ${then}`).to.deep.equal(expected);
            }
          }
        });
      }

      it('ends without a listener of Node.js', async () => {
        const events: unknown[] = [];
        const app = build();
        app.use((req, res) => {
          setImmediate(() => events.push(req.eventNames()));
          res.send('sent');
        });

        await play(listener(app), get('/'), post('/'), head('/'));

        expect(events).to.deep.equal([[], [], []]);
      });
    });
  }
}
